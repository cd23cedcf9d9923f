package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What stands in Redis, on its own clock: expiry, size, and what happens to values that others wrote. */
class RedisStorageTests {

    private final RedisSettings settings = SharedRedis.settings();

    private final RedisBackend backend = SharedRedis.backend(null, settings);

    private final StringRedisTemplate redis = new StringRedisTemplate(SharedRedis.factory());

    @AfterEach
    void close() {
        backend.close();
    }

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
        assertThat(ttl(policy)).isBetween(1L, most + 1);
    }

    @Test
    void aFullBucketLivesForAsLongAsItTakesToRefill() {
        Policy policy = Policy.of(
                "p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1, 2_000_000).withBurst(10));
        for (int i = 0; i < 10; i++) {
            assertThat(acquire(policy, 1).allowed()).isTrue();
        }
        assertThat(ttl(policy)).isBetween(18_000L, 20_001L);
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

    @ParameterizedTest
    @EnumSource
    void whoWaitsAsLongAsToldIsAdmittedEveryTime(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 1, 100_000));
        Decision admitted = acquire(policy, 1);
        for (int i = 0; i < 10; i++) {
            assertThat(admitted.allowed()).isTrue();
            long next = admitted.atMicros() + admitted.resetAfterMicros();
            Awaitility.await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(5))
                    .until(() -> backend.peek(policy, "other").atMicros() >= next);
            admitted = acquire(policy, 1);
        }
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
            assertThat(redis.getExpire(key, java.util.concurrent.TimeUnit.MILLISECONDS))
                    .isLessThanOrEqualTo(601);
        }
        Awaitility.await().until(() -> Objects.requireNonNull(redis.keys(settings.keyPrefix() + "{*"))
                .isEmpty());
    }

    @Test
    void aRefundOfAnEarlierPolicyLeavesTheExpiryOfTheOtherLimits() {
        Limit minute = Limit.ofMicros(Algorithm.FIXED_WINDOW, 5, 60_000_000);
        Policy two = Policy.of("p", minute, Limit.ofMicros(Algorithm.SLIDING_COUNTER, 5, 3_600_000_000L));
        acquire(Policy.of("p", minute), 1);
        Decision early = acquire(Policy.of("p", minute), 1);
        acquire(two, 1);
        early.refund();
        assertThat(ttl(two)).isGreaterThan(3_599_000);
    }

    @Test
    void aRefundOfAFasterBucketLeavesTheExpiryOfTheSlowerOne() {
        Limit fast = Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1_000, 3_600_000_000L);
        Policy slow = Policy.of(
                "p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1, 3_600_000_000L).withBurst(1_000));
        Decision early = acquire(Policy.of("p", fast), 1);
        acquire(slow, 1);
        early.refund();
        assertThat(ttl(slow)).isGreaterThan(3_590_000);
    }

    @ParameterizedTest
    @EnumSource
    void aRefundThatLeavesNothingRemovesTheKey(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 5, 3_600_000_000L));
        ManualTimeSource still = new ManualTimeSource(1_760_054_400_000_000L);
        try (RedisBackend given = SharedRedis.backend(still, settings)) {
            given.acquire(policy, "k", 1, Acquisition.Mode.RESERVE).refund();
        }
        assertThat(redis.hasKey(key(policy))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "\u0002and of a later layout ......"})
    void aRefundLeavesValuesOfAnotherLayoutAlone(String value) {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 5, 3_600_000_000L));
        Decision early = acquire(policy, 1);
        redis.opsForValue().set(key(policy), value);
        early.refund();
        assertThat(redis.opsForValue().get(key(policy))).isEqualTo(value);
    }

    @Test
    void aCallDoesNotRenewTheWindow() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.FIXED_WINDOW, 1_000, 3_600_000_000L));
        acquire(policy, 1);
        long first = ttl(policy);
        acquire(policy, 1);
        assertThat(ttl(policy)).isLessThanOrEqualTo(first);
    }

    @ParameterizedTest
    @EnumSource
    void aKeyWithoutExpiryHeals(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 1, 500_000));
        acquire(policy, 1);
        redis.persist(key(policy));
        acquire(policy, 1);
        Awaitility.await().until(() -> acquire(policy, 1).allowed());
        assertThat(ttl(policy)).isPositive();
    }

    @ParameterizedTest
    @EnumSource
    void valuesOfAnotherTypeAreFreshStates(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 1, 3_600_000_000L));
        redis.opsForHash().put(key(policy), "some", "thing");
        assertThat(acquire(policy, 1).allowed()).isTrue();
        assertThat(acquire(policy, 1).allowed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1", "garbage", "garbage of just the right length!", "\u0002and of a later layout ......"})
    void valuesOfAnotherLayoutAreFreshStates(String value) {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1, 3_600_000_000L));
        redis.opsForValue().set(key(policy), value);
        assertThat(acquire(policy, 1).allowed()).isTrue();
        assertThat(acquire(policy, 1).allowed()).isFalse();
    }

    @Test
    void listsOfOthersAreFreshLogs() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.SLIDING_LOG, 1, 3_600_000_000L));
        redis.opsForList().rightPushAll(key(policy), "no", "times");
        assertThat(acquire(policy, 1).allowed()).isTrue();
        assertThat(acquire(policy, 1).allowed()).isFalse();
    }

    @Test
    void aLogTakesElevenBytesAnEntryAtMost() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.SLIDING_LOG, 1_000_000, 3_600_000_000L));
        for (int i = 0; i < 1_000; i++) {
            acquire(policy, 1);
        }
        assertThat(memory(key(policy))).isLessThanOrEqualTo(11_000);
    }

    @Test
    void allOtherStatesTakeHundredsOfBytesAtMost() {
        Policy policy = Policy.of("api", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 100, 60_000_000));
        backend.acquire(policy, "203.0.113.77", 1, Acquisition.Mode.SPEND);
        assertThat(memory(settings.keyPrefix() + "{api:203.0.113.77}")).isLessThanOrEqualTo(200);
    }

    @Test
    void numbersKeepAllTheirDigits() {
        ManualTimeSource late = new ManualTimeSource(8_999_999_999_999_999L);
        Policy policy = Policy.of(
                "p",
                Limit.ofMicros(Algorithm.SLIDING_LOG, 1_000_000_000_000L, Limit.MAX_WINDOW_MICROS),
                Limit.ofMicros(Algorithm.SLIDING_COUNTER, 1_000_000_000_000L, Limit.MAX_WINDOW_MICROS),
                Limit.ofMicros(Algorithm.TOKEN_BUCKET, 999_999_999_999L, Limit.MAX_WINDOW_MICROS));
        try (RedisBackend given = SharedRedis.backend(late, settings)) {
            Decision decision = given.acquire(policy, "k", 999_999_999_998L, Acquisition.Mode.SPEND);
            assertThat(decision.atMicros()).isEqualTo(8_999_999_999_999_999L);
            assertThat(decision.limits().stream().map(status -> status.remaining()))
                    .containsExactly(2L, 2L, 1L);
            late.advanceMicros(1);
            assertThat(given.peek(policy, "k").limits().stream().map(status -> status.remaining()))
                    .containsExactly(2L, 2L, 1L);
        }
    }

    @Test
    void onlyTheDecisionsOfAnotherPrefixAreReset() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1, 3_600_000_000L));
        try (RedisBackend other = SharedRedis.backend(null)) {
            acquire(policy, 1);
            other.acquire(policy, "k", 1, Acquisition.Mode.SPEND);
            other.reset();
            assertThat(other.peek(policy, "k").remaining()).isEqualTo(1);
            assertThat(backend.peek(policy, "k").remaining()).isZero();
        }
    }

    private Decision acquire(Policy policy, long cost) {
        return backend.acquire(policy, "k", cost, Acquisition.Mode.SPEND);
    }

    private String key(Policy policy) {
        BucketLayout layout = new BucketLayout(policy);
        String bucket = new BucketKeys(settings.keyPrefix()).bucket(policy.name(), "k");
        return new String(BucketKeys.all(bucket, layout)[0], StandardCharsets.UTF_8);
    }

    private long ttl(Policy policy) {
        return redis.getExpire(key(policy), java.util.concurrent.TimeUnit.MILLISECONDS);
    }

    private long memory(String key) {
        RedisClient client = (RedisClient) SharedRedis.factory().getRequiredNativeClient();
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().memoryUsage(key);
        }
    }
}
