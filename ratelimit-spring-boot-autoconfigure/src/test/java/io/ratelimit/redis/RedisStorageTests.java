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
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in Redis, on its own clock: size, digits, and what happens to values that others wrote. */
class RedisStorageTests extends StoredStateTests {

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

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "\u0002and of a later layout ......"})
    void aRefundLeavesValuesOfAnotherLayoutAlone(String value) {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 5, 3_600_000_000L));
        Decision early = acquire(policy, 1);
        redis.opsForValue().set(key(policy), value);
        early.refund();
        assertThat(redis.opsForValue().get(key(policy))).isEqualTo(value);
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

    private long memory(String key) {
        RedisClient client = (RedisClient) SharedRedis.factory().getRequiredNativeClient();
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            return connection.sync().memoryUsage(key);
        }
    }
}
