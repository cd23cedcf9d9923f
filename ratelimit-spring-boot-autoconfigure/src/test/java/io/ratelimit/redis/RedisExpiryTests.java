package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** When keys expire: once their state equals that of a key never seen, neither sooner nor later. */
class RedisExpiryTests extends StoredStateTests {

    @ParameterizedTest
    @EnumSource
    void aKeyLivesUntilItsStateEqualsFresh(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 100, 60_000_000));
        acquire(policy, 1);
        long most =
                switch (algorithm) {
                    case FIXED_WINDOW -> 60_000;
                    case SLIDING_LOG -> 60_001;
                    case SLIDING_COUNTER -> 120_000;
                    case TOKEN_BUCKET, LEAKY_BUCKET -> 600;
                };
        assertThat(leftMillis(policy)).isBetween(1L, most + 1);
    }

    /** The clock stood 100 s after an edge when it stepped back, and what stands still is over only after it has caught up. */
    @ParameterizedTest
    @CsvSource({
        "FIXED_WINDOW, 800000",
        "SLIDING_LOG, 900001",
        "SLIDING_COUNTER, 1400000",
        "TOKEN_BUCKET, 540000",
        "LEAKY_BUCKET, 540000"
    })
    void afterAStepBackAKeyLivesUntilItsStateEqualsFresh(Algorithm algorithm, long millis) {
        Limit limit = Limit.ofMicros(algorithm, 5, 600_000_000);
        Policy policy = Policy.of("p", algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(4) : limit);
        ManualTimeSource time = new ManualTimeSource(1_760_054_400_000_000L + 100_000_000);
        try (RedisBackend given = SharedRedis.backend(time, settings)) {
            given.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
            time.advanceMicros(-300_000_000);
            assertThat(given.acquire(policy, "k", 1, Acquisition.Mode.SPEND).remaining())
                    .isEqualTo(3);
        }
        assertThat(leftMillis(policy)).isBetween(millis - 10_000, millis + 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET"})
    void aBucketMayTakeLongerThanRedisCountsToRefill(Algorithm algorithm) {
        Limit limit = Limit.ofMicros(algorithm, 1, Limit.MAX_WINDOW_MICROS).withBurst(Limit.MAX_LIMIT);
        Policy policy = Policy.of("p", algorithm == Algorithm.LEAKY_BUCKET ? limit.withNodelay() : limit);
        assertThat(acquire(policy, Limit.MAX_LIMIT - 1).allowed()).isTrue();
        assertThat(backend.peek(policy, "k").remaining()).isLessThanOrEqualTo(2);
    }

    @Test
    void aFullBucketLivesForAsLongAsItTakesToRefill() {
        Policy policy = Policy.of(
                "p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1, 2_000_000).withBurst(10));
        for (int i = 0; i < 10; i++) {
            assertThat(acquire(policy, 1).allowed()).isTrue();
        }
        assertThat(leftMillis(policy)).isBetween(18_000L, 20_001L);
        assertThat(acquire(policy, 1).allowed()).isFalse();
    }

    @Test
    void aSlowBucketIsNotForgottenEarly() {
        Policy policy = Policy.of(
                "p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1, 400_000).withBurst(4));
        Decision last = null;
        for (int i = 0; i < 4; i++) {
            last = acquire(policy, 1);
        }
        long start = Objects.requireNonNull(last).atMicros();
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> {
                    Decision now = backend.peek(policy, "k");
                    long refilled = Math.min(4, (now.atMicros() - start) / 400_000 + 1);
                    assertThat(now.remaining()).isLessThanOrEqualTo(refilled);
                    return now.remaining() == 4;
                });
        Awaitility.await().until(() -> Boolean.FALSE.equals(redis.hasKey(key(policy))));
    }

    @Test
    void nothingOutlivesItsState() {
        for (Algorithm algorithm : Algorithm.values()) {
            Policy policy = Policy.of("p" + algorithm, Limit.ofMicros(algorithm, 5, 300_000));
            for (int i = 0; i < 20; i++) {
                backend.acquire(policy, "k" + i % 3, 1 + i % 2, Acquisition.Mode.SPEND);
            }
        }
        var keys = Objects.requireNonNull(redis.keys(settings.keyPrefix() + "{*"));
        for (String key : keys) {
            assertThat(redis.getExpire(key, TimeUnit.MILLISECONDS)).isLessThanOrEqualTo(601);
        }
        Awaitility.await().until(() -> Objects.requireNonNull(redis.keys(settings.keyPrefix() + "{*"))
                .isEmpty());
    }

    @Test
    void aCallDoesNotRenewTheWindow() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1_000, 3_600_000_000L));
        acquire(policy, 1);
        long first = leftMillis(policy);
        acquire(policy, 1);
        assertThat(leftMillis(policy)).isLessThanOrEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource
    void aKeyWithoutExpiryHeals(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 1, 500_000));
        acquire(policy, 1);
        redis.persist(key(policy));
        acquire(policy, 1);
        Awaitility.await().until(() -> acquire(policy, 1).allowed());
        assertThat(leftMillis(policy)).isPositive();
    }

    private Decision acquire(Policy policy, long cost) {
        return backend.acquire(policy, "k", cost, Acquisition.Mode.SPEND);
    }
}
