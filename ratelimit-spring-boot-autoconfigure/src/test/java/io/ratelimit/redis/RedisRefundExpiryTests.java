package io.ratelimit.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitState;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.data.redis.core.script.RedisScript;

/** When keys expire of which something was given back: still neither sooner nor later than their state equals fresh. */
class RedisRefundExpiryTests extends StoredStateTests {

    private static final long HOUR = 3_600_000_000L;

    /** Less than ten, but Redis may be held up between the two times that are asked for. */
    private static final long ROUNDING_MILLIS = 100;

    private static final RedisScript<Long> EXPIRES_AT = RedisScript.of(
            "local left = redis.call('PTTL', KEYS[1]) local now = redis.call('TIME')"
                    + " return left < 0 and left or now[1] * 1000 + math.floor(now[2] / 1000) + left",
            Long.class);

    private final ManualTimeSource time = new ManualTimeSource(1_760_054_400_000_000L);

    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET"})
    void aBucketLivesForWhatIsStillOwed(Algorithm algorithm) {
        Policy policy = Policy.of("p", slow(algorithm));
        Deque<Decision> charged = charge(policy, 10);
        while (charged.size() > 1) {
            charged.removeLast().refund();
            assertThatItLivesUntilItIsFresh(policy);
        }
        assertThat(leftMillis(policy)).isLessThan(50_000);
    }

    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_COUNTER", "SLIDING_LOG"})
    void aBucketBesideAnotherLimitLivesForWhatIsStillOwed(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 100, 1_000_000), slow(Algorithm.TOKEN_BUCKET));
        Deque<Decision> charged = charge(policy, 10);
        while (charged.size() > 1) {
            charged.removeLast().refund();
            assertThatItLivesUntilItIsFresh(policy);
        }
        assertThat(leftMillis(policy)).isLessThan(50_000);
    }

    @Test
    void whatAWindowCountsKeepsItsEndUntilNothingIsLeft() {
        Policy policy = Policy.of(
                "p",
                Limit.ofMicros(Algorithm.FIXED_WINDOW, 100, HOUR),
                Limit.ofMicros(Algorithm.SLIDING_COUNTER, 100, HOUR));
        Deque<Decision> charged = charge(policy, 3);
        long before = expiresAtMillis(policy);
        charged.removeLast().refund();
        assertThat(expiresAtMillis(policy)).isBetween(before - ROUNDING_MILLIS, before + ROUNDING_MILLIS);
        charged.forEach(Decision::refund);
        assertThat(redis.hasKey(key(policy))).isFalse();
    }

    /** Of the five permits a tenth drained meanwhile, which is not given back: a fiftieth of what was owed. */
    @ParameterizedTest
    @EnumSource(names = {"FIXED_WINDOW", "SLIDING_COUNTER"})
    void anEmptyWindowKeepsABucketAliveForItsShareAtMost(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 100, HOUR), slow(Algorithm.TOKEN_BUCKET));
        try (RedisBackend given = SharedRedis.backend(time, settings)) {
            Decision decision = given.acquire(policy, "k", 5, Acquisition.Mode.RESERVE);
            long before = leftMillis(policy);
            assertThat(before).isGreaterThan(3_500_000);
            time.advanceMicros(1_000_000);
            decision.refund();
            assertThat(leftMillis(policy)).isBetween(50_000L, before / 50 + 1);
        }
    }

    @Test
    void withAGivenTimeAKeyLivesForAMinuteAtLeast() {
        Policy policy = Policy.of("p", slow(Algorithm.TOKEN_BUCKET));
        try (RedisBackend given = SharedRedis.backend(time, settings)) {
            Decision nine = given.acquire(policy, "k", 9, Acquisition.Mode.RESERVE);
            given.acquire(policy, "k", 1, Acquisition.Mode.RESERVE);
            assertThat(leftMillis(policy)).isBetween(90_000L, 100_001L);
            nine.refund();
            assertThat(leftMillis(policy)).isBetween(50_000L, 60_000L);
        }
    }

    /** The key still ends when the slower limit says, of which the earlier decisions know nothing. */
    @Test
    void aBucketThatWasSlowedDownMeanwhileIsNotForgottenEarly() {
        Policy policy = Policy.of(
                "p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1, 60_000_000).withBurst(10));
        Deque<Decision> early = charge(Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 10, 60_000_000)), 4);
        acquire(policy, 1);
        while (!early.isEmpty()) {
            early.removeLast().refund();
            assertThatItLivesUntilItIsFresh(policy);
        }
    }

    @Test
    void aKeyWithoutExpiryGetsNoneByARefund() {
        Policy policy = Policy.of("p", slow(Algorithm.TOKEN_BUCKET));
        Deque<Decision> charged = charge(policy, 3);
        redis.persist(key(policy));
        charged.removeLast().refund();
        assertThat(expiresAtMillis(policy)).isEqualTo(-1);
    }

    /** The clock stepped back by more than a window: that window counts again once the clock has caught up. */
    @Test
    void aWindowThatLiesAheadIsNotForgotten() {
        Policy policy = Policy.of(
                "p",
                Limit.ofMicros(Algorithm.FIXED_WINDOW, 5, 60_000_000),
                Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1_000, HOUR));
        try (RedisBackend given = SharedRedis.backend(time, settings)) {
            Decision decision = given.acquire(policy, "k", 5, Acquisition.Mode.RESERVE);
            time.advanceMicros(-61_000_000);
            decision.refund();
            time.advanceMicros(61_000_000);
            assertThat(given.peek(policy, "k").limits())
                    .extracting(LimitStatus::remaining)
                    .containsExactly(0L, 1_000L);
        }
    }

    @Test
    void aRefundOfAnEarlierPolicyLeavesTheExpiryOfTheOtherLimits() {
        Limit minute = Limit.ofMicros(Algorithm.FIXED_WINDOW, 5, 60_000_000);
        Policy two = Policy.of("p", minute, Limit.ofMicros(Algorithm.SLIDING_COUNTER, 5, HOUR));
        acquire(Policy.of("p", minute), 1);
        Decision early = acquire(Policy.of("p", minute), 1);
        acquire(two, 1);
        early.refund();
        assertThat(leftMillis(two)).isGreaterThan(3_599_000);
    }

    @Test
    void aRefundOfAFasterBucketLeavesTheExpiryOfTheSlowerOne() {
        Limit fast = Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1_000, HOUR);
        Policy slow =
                Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 1, HOUR).withBurst(1_000));
        Decision early = acquire(Policy.of("p", fast), 1);
        acquire(slow, 1);
        early.refund();
        assertThat(leftMillis(slow)).isGreaterThan(3_590_000);
    }

    @ParameterizedTest
    @EnumSource
    void aRefundThatLeavesNothingRemovesTheKey(Algorithm algorithm) {
        Policy policy = Policy.of("p", Limit.ofMicros(algorithm, 5, HOUR));
        try (RedisBackend given = SharedRedis.backend(time, settings)) {
            given.acquire(policy, "k", 1, Acquisition.Mode.RESERVE).refund();
        }
        assertThat(redis.hasKey(key(policy))).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void refundsOneAfterAnotherRemoveTheKeyWithTheLast(Algorithm algorithm) {
        Policy policy = Policy.of("p", slow(algorithm), slow(Algorithm.TOKEN_BUCKET));
        Deque<Decision> charged = new ArrayDeque<>();
        try (RedisBackend given = SharedRedis.backend(time, settings)) {
            for (int i = 0; i < 10; i++) {
                charged.add(given.acquire(policy, "k", 1, Acquisition.Mode.RESERVE));
            }
            while (!charged.isEmpty()) {
                assertThat(redis.hasKey(key(policy))).isTrue();
                charged.removeFirst().refund();
            }
        }
        assertThat(redis.hasKey(key(policy))).isFalse();
    }

    /** Rounded up to the next millisecond, plus what the refunds before rounded. */
    private void assertThatItLivesUntilItIsFresh(Policy policy) {
        Decision seen = backend.peek(policy, "k");
        double fresh = 0;
        for (LimitStatus status : seen.limits()) {
            Limit limit = status.limit();
            boolean bucket = limit.algorithm() == Algorithm.TOKEN_BUCKET || limit.algorithm() == Algorithm.LEAKY_BUCKET;
            long capacity = LimitState.fresh(limit).capacity(limit);
            if (bucket && status.remaining() < capacity) {
                long more = capacity - status.remaining() - 1;
                fresh = Math.max(
                        fresh, status.resetAfterMicros() + (double) more * limit.windowMicros() / limit.limit());
            }
        }
        double exact = (seen.atMicros() + fresh) / 1_000;
        assertThat((double) expiresAtMillis(policy)).isBetween(exact, exact + ROUNDING_MILLIS);
    }

    private Deque<Decision> charge(Policy policy, int times) {
        Deque<Decision> charged = new ArrayDeque<>();
        for (int i = 0; i < times; i++) {
            charged.add(acquire(policy, 1));
        }
        return charged;
    }

    private Decision acquire(Policy policy, long cost) {
        Decision decision = backend.acquire(policy, "k", cost, Acquisition.Mode.RESERVE);
        assertThat(decision.allowed()).isTrue();
        return decision;
    }

    private static Limit slow(Algorithm algorithm) {
        Limit limit = Limit.ofMicros(algorithm, 10, 100_000_000);
        return algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(9).withNodelay() : limit;
    }

    private long expiresAtMillis(Policy policy) {
        return redis.execute(EXPIRES_AT, List.of(key(policy)));
    }
}
