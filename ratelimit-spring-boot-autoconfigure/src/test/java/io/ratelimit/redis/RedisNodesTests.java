package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Several nodes of an application on one Redis. */
class RedisNodesTests {

    private static final int THREADS = 64;

    private final RedisSettings settings = SharedRedis.settings();

    @ParameterizedTest
    @EnumSource
    void twoNodesAdmitExactlyTheLimitTogether(Algorithm algorithm) throws Exception {
        Limit limit = Limit.ofMicros(algorithm, 50, 3_600_000_000L);
        Policy policy = Policy.of(
                "p", algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(49).withNodelay() : limit);
        try (RedisBackend one = SharedRedis.backend(null, settings);
                RedisBackend other = SharedRedis.backend(null, settings)) {
            assertThat(admitted(List.of(one, other), policy)).isEqualTo(50);
        }
    }

    @Test
    void jedisCountsWithLettuce() {
        var lettuce = SharedRedis.factory();
        JedisConnectionFactory jedis =
                new JedisConnectionFactory(new RedisStandaloneConfiguration(lettuce.getHostName(), lettuce.getPort()));
        jedis.afterPropertiesSet();
        jedis.start();
        Policy policy = Policy.of(
                "p",
                Limit.ofMicros(Algorithm.TOKEN_BUCKET, 50, 3_600_000_000L),
                Limit.ofMicros(Algorithm.SLIDING_LOG, 60, 3_600_000_000L));
        try (RedisBackend one = SharedRedis.backend(null, settings);
                RedisBackend other = SharedRedis.usable(
                        new RedisBackend(jedis, settings, SharedRedis.local(), null, RedisObserver.NONE))) {
            for (long remaining = 49; remaining >= 1; remaining -= 2) {
                assertThat(one.acquire(policy, "k", 1, Acquisition.Mode.SPEND).remaining())
                        .isEqualTo(remaining);
                assertThat(other.acquire(policy, "k", 1, Acquisition.Mode.SPEND).remaining())
                        .isEqualTo(remaining - 1);
            }
            other.reset();
            assertThat(one.peek(policy, "k").remaining()).isEqualTo(50);
        } finally {
            jedis.destroy();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aResetOnAnotherNodeEndsRefundsToo(Algorithm algorithm) {
        Limit limit = Limit.ofMicros(algorithm, 10, 3_600_000_000L);
        Policy policy = Policy.of(
                "p", algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(9).withNodelay() : limit);
        try (RedisBackend one = SharedRedis.backend(null, settings);
                RedisBackend other = SharedRedis.backend(null, settings)) {
            Decision before = one.acquire(policy, "k", 5, Acquisition.Mode.SPEND);
            other.reset(policy, "k");
            Decision after = one.acquire(policy, "k", 3, Acquisition.Mode.SPEND);
            before.refund();
            assertThat(other.peek(policy, "k").remaining()).isEqualTo(7);
            after.refund();
            assertThat(other.peek(policy, "k").remaining()).isEqualTo(10);
        }
    }

    /** The hour is less than a window, exactly one, and more than one. */
    @ParameterizedTest
    @EnumSource
    void aClockThatStepsBackAnHourAdmitsOneExtraLimitAtMost(Algorithm algorithm) {
        long hour = 3_600_000_000L;
        for (long window : new long[] {hour / 2, hour, 2 * hour}) {
            ManualTimeSource time = new ManualTimeSource(1_760_054_400_000_000L);
            Limit limit = Limit.ofMicros(algorithm, 10, window);
            Policy policy = Policy.of(
                    "p" + window,
                    algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(9).withNodelay() : limit);
            try (RedisBackend backend = SharedRedis.backend(time, settings)) {
                assertThat(admittedNow(backend, policy)).isEqualTo(10);
                time.advanceMicros(-hour);
                assertThat(admittedNow(backend, policy)).isLessThanOrEqualTo(10);
                long blocked =
                        backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND).retryAfterMicros();
                assertThat(blocked).isBetween(1L, 2 * window + (algorithm == Algorithm.SLIDING_LOG ? 1 : 0));
                time.advanceMicros(blocked);
                assertThat(backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND)
                                .allowed())
                        .isTrue();
            }
        }
    }

    private static long admittedNow(RedisBackend backend, Policy policy) {
        long admitted = 0;
        for (int i = 0; i < 30; i++) {
            admitted += backend.acquire(policy, "k", 1, Acquisition.Mode.SPEND).allowed() ? 1 : 0;
        }
        return admitted;
    }

    private static long admitted(List<RedisBackend> nodes, Policy policy) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS * nodes.size());
        CountDownLatch start = new CountDownLatch(THREADS * nodes.size());
        try {
            List<Future<Long>> results = new ArrayList<>();
            for (RedisBackend node : nodes) {
                for (int i = 0; i < THREADS; i++) {
                    results.add(threads.submit(() -> {
                        start.countDown();
                        start.await();
                        return admittedNow(node, policy);
                    }));
                }
            }
            long admitted = 0;
            for (Future<Long> result : results) {
                admitted += result.get();
            }
            return admitted;
        } finally {
            threads.shutdownNow();
        }
    }
}
