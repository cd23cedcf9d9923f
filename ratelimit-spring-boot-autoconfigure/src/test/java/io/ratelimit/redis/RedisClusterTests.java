package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.sync.RedisCommands;
import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A real cluster of three masters. */
@Tag("long")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisClusterTests {

    private static final int SLOTS = 16_384;

    private static final List<String> ODD = List.of("{", "}", "{}", "a{b}", "c{b}", "\0", "😀", "x".repeat(1 << 20));

    private static final Limit FIXED = Limit.ofMicros(Algorithm.FIXED_WINDOW, 2, 3_600_000_000L);

    private static final Limit LOG = Limit.ofMicros(Algorithm.SLIDING_LOG, 2, 3_600_000_000L);

    private final List<RedisProcess> masters = new ArrayList<>();

    private final RedisClusterConfiguration configuration = new RedisClusterConfiguration();

    private LettuceConnectionFactory factory;

    private RedisBackend backend;

    @BeforeAll
    void startCluster() {
        for (int i = 0; i < 3; i++) {
            masters.add(RedisProcess.started("--cluster-enabled", "yes", "--cluster-node-timeout", "5000"));
        }
        for (int i = 0; i < 3; i++) {
            int first = SLOTS * i / 3;
            int last = SLOTS * (i + 1) / 3;
            int[] slots = IntStream.range(first, last).toArray();
            masters.get(i).ask(redis -> redis.clusterAddSlots(slots));
            int other = masters.get((i + 1) % 3).port();
            masters.get(i).ask(redis -> redis.clusterMeet("127.0.0.1", other));
            configuration.clusterNode("127.0.0.1", masters.get(i).port());
        }
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> masters.stream()
                .allMatch(master -> master.ask(RedisCommands::clusterInfo).contains("cluster_state:ok")));
        factory = new LettuceConnectionFactory(
                configuration,
                LettuceClientConfiguration.builder()
                        .shutdownTimeout(Duration.ZERO)
                        .build());
        factory.afterPropertiesSet();
        factory.start();
        backend = SharedRedis.usable(
                new RedisBackend(factory, SharedRedis.settings(), SharedRedis.local(), null, RedisObserver.NONE));
    }

    @AfterAll
    void stopCluster() {
        if (backend != null) {
            backend.close();
            factory.destroy();
        }
        masters.forEach(RedisProcess::close);
    }

    @Test
    void everyKeyIsCountedForItself() {
        Policy policy = Policy.of("a{b} c", FIXED, LOG);
        List<String> keys = new ArrayList<>(ODD);
        Random random = new Random(7);
        while (keys.size() < 1_000 + ODD.size()) {
            keys.add(Long.toString(random.nextLong(), 36));
        }
        for (long remaining = 1; remaining >= 0; remaining--) {
            for (String key : keys) {
                Decision decision = backend.acquire(policy, key, 1, Acquisition.Mode.SPEND);
                assertThat(decision.counted()).isTrue();
                assertThat(decision.remaining()).isEqualTo(remaining);
            }
        }
    }

    @Test
    void keysOfSeveralSlotsAreChargedAllOrNone() {
        Policy narrow = Policy.of("narrow", FIXED);
        Policy wide = Policy.of("wide", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 100, 3_600_000_000L));
        for (int i = 0; i < 50; i++) {
            String key = "user-" + i;
            List<Acquisition> asked = List.of(
                    Acquisition.of(narrow, key, 1), Acquisition.of(wide, "global", 1), Acquisition.of(wide, key, 1));
            assertThat(backend.acquireAll(asked)).allMatch(Decision::allowed);
            assertThat(backend.acquireAll(asked)).allMatch(Decision::allowed);
            backend.reset(wide, "global");
            List<Decision> refused = backend.acquireAll(asked);
            assertThat(refused).extracting(Decision::allowed).containsExactly(false, true, true);
            assertThat(backend.peek(wide, "global").remaining()).isEqualTo(100);
            assertThat(backend.peek(wide, key).remaining()).isEqualTo(98);
            assertThat(refused.get(1).refund()).isFalse();
        }
    }

    @Test
    void refundAndResetFindTheirNode() {
        Policy policy = Policy.of("refunds", FIXED);
        for (int i = 0; i < 20; i++) {
            String key = "user-" + i;
            Decision decision = backend.acquire(policy, key, 2, Acquisition.Mode.SPEND);
            assertThat(decision.refund()).isTrue();
            assertThat(backend.peek(policy, key).remaining()).isEqualTo(2);
            backend.acquire(policy, key, 2, Acquisition.Mode.SPEND);
        }
        backend.reset(policy, "user-1");
        assertThat(backend.peek(policy, "user-1").remaining()).isEqualTo(2);
        backend.reset();
        assertThat(backend.peek(policy, "user-2").remaining()).isEqualTo(2);
    }

    @Test
    void jedisWorksToo() {
        JedisConnectionFactory jedis = new JedisConnectionFactory(configuration);
        jedis.afterPropertiesSet();
        jedis.start();
        try (RedisBackend other = SharedRedis.usable(
                new RedisBackend(jedis, SharedRedis.settings(), SharedRedis.local(), null, RedisObserver.NONE))) {
            Policy policy = Policy.of("p", FIXED, LOG);
            for (int i = 0; i < 50; i++) {
                assertThat(other.acquire(policy, "k" + i, 2, Acquisition.Mode.SPEND)
                                .remaining())
                        .isZero();
                assertThat(other.acquire(policy, "k" + i, 1, Acquisition.Mode.SPEND)
                                .allowed())
                        .isFalse();
            }
        } finally {
            jedis.destroy();
        }
    }
}
