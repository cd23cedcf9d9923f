package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A state in one word beside the state that it stands for. */
class PackedStateTests {

    private static final long EDGE = 1_760_054_400_000_000L;

    private static final int ROUNDS = 300;

    private static final int STEPS = 200;

    private static final Refunds NOWHERE = decision -> {};

    @ParameterizedTest
    @CsvSource({
        "TOKEN_BUCKET, 100, 60000000, true",
        "TOKEN_BUCKET, 1000000, 60000000, true",
        "TOKEN_BUCKET, 10, 3600000000, true",
        "TOKEN_BUCKET, 1, 31622400000000, true",
        "TOKEN_BUCKET, 7777, 1000000, false",
        "TOKEN_BUCKET, 1000000000000, 31622400000000, false",
        "TOKEN_BUCKET, 0, 1000000, false",
        "FIXED_WINDOW, 131072, 1000, true",
        "FIXED_WINDOW, 1000000000, 60000000, true",
        "FIXED_WINDOW, 1000000000000, 60000000, false",
        "FIXED_WINDOW, 0, 60000000, false",
        "SLIDING_COUNTER, 10000, 1000000, true",
        "SLIDING_COUNTER, 100000, 60000000, true",
        "SLIDING_COUNTER, 100000, 1000000, false",
        "SLIDING_LOG, 10, 60000000, false",
        "LEAKY_BUCKET, 10, 1000000, false"
    })
    void limitsOfPracticeFitIntoAWord(Algorithm algorithm, long limit, long window, boolean fits) {
        assertThat(Packing.of(Limit.ofMicros(algorithm, limit, window)) != null).isEqualTo(fits);
    }

    @Test
    void onlyAQueueInWhichNobodyWaitsIsPacked() {
        Limit queue = Limit.ofMicros(Algorithm.LEAKY_BUCKET, 10, 1_000_000).withBurst(5);
        assertThat(Packing.of(queue)).isNull();
        assertThat(Packing.of(queue.withNodelay())).isNotNull();
    }

    @Test
    void onlyAClockThatNeverRunsBackwardsIsTrusted() {
        assertThat(PackedState.allowedBy(TimeSource.system())).isTrue();
        assertThat(PackedState.allowedBy(new ManualTimeSource(0))).isFalse();
    }

    @Test
    void limitsThatAreReadAnewNeedNotBeComparedTwice() {
        Policy policy = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 10, 1_000_000));
        Policy readAnew = Policy.of("p", Limit.ofMicros(Algorithm.TOKEN_BUCKET, 10, 1_000_000));
        BucketState state = BucketState.freshAndPacked(policy);
        state.release(policy);
        assertThat(state.decideAtOnce(NOWHERE, readAnew, "k", 1, () -> EDGE)).isNotNull();
        assertThat(state.claim()).isSameAs(readAnew);
    }

    /** Also when the state is carried over in between, into the form that does not depend on the limit. */
    @ParameterizedTest
    @ValueSource(longs = {0, EDGE, (1L << 52) - 366L * 86_400_000_000L})
    void decidesLikeTheStateThatItStandsFor(long start) {
        SplittableRandom random = new SplittableRandom(start);
        int compared = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Policy policy = Policy.of("p", limit(random));
            if (policy.packing() != null) {
                compare(policy, random, start);
                compared++;
            }
        }
        assertThat(compared).isGreaterThan(ROUNDS / 3);
    }

    private static void compare(Policy policy, SplittableRandom random, long start) {
        Limit limit = policy.limits().get(0);
        LimitState expected = LimitState.fresh(limit);
        BucketState packed = BucketState.freshAndPacked(policy);
        packed.release(policy);
        long now = start;
        Decision[] past = new Decision[4];
        for (int step = 0; step < STEPS; step++) {
            now += random.nextInt(3) == 0 ? 0 : random.nextLong(1 + limit.windowMicros() / (1 + random.nextInt(40)));
            long time = now;
            long cost = random.nextInt(8) == 0 ? random.nextLong(2 * limit.burst() + 3) : random.nextLong(3);
            Decision right = expected.decide(NOWHERE, policy, "k", cost, time);
            Decision decision = packed.decideAtOnce(NOWHERE, policy, "k", cost, () -> time);
            assertThat(decision).isNotNull();
            assertThat(words(decision)).as("%s at %d", limit, time).isEqualTo(words(right));
            if (right.allowed() && cost > 0) {
                past[random.nextInt(past.length)] = right;
            }
            int which = random.nextInt(past.length);
            packed.claim();
            if (past[which] != null && random.nextInt(4) == 0) {
                refund(expected, past[which], time);
                refund(packed.part(0), past[which], time);
                past[which] = null;
            }
            LimitState unpacked = packed.unpacked(time).part(0);
            assertThat(packed.part(0).idle(limit, time)).isEqualTo(expected.idle(limit, time));
            assertThat(packed.part(0).remaining(limit, time)).isEqualTo(expected.remaining(limit, time));
            assertThat(unpacked.remaining(limit, time)).isEqualTo(expected.remaining(limit, time));
            assertThat(unpacked.resetAfter(limit, time)).isEqualTo(expected.resetAfter(limit, time));
            packed.release(policy);
        }
    }

    private static void refund(LimitState state, Decision decision, long now) {
        LimitStatus then = decision.limits().get(0);
        state.refund(now, decision.cost(), decision.atMicros(), then);
    }

    private static Limit limit(SplittableRandom random) {
        Algorithm[] algorithms = Algorithm.values();
        Algorithm algorithm = algorithms[random.nextInt(algorithms.length)];
        long[] windows = {1_000, 7_919, 1_000_000, 30_000_000, 60_000_000, 3_600_000_000L, Limit.MAX_WINDOW_MICROS};
        long window = windows[random.nextInt(windows.length)];
        long permits = 1 + random.nextLong(1L << (1 + random.nextInt(20)));
        Limit limit = Limit.ofMicros(algorithm, permits, window);
        return switch (algorithm) {
            case TOKEN_BUCKET -> limit.withBurst(1 + random.nextLong(2 * permits));
            case LEAKY_BUCKET -> limit.withBurst(random.nextLong(2 * permits)).withNodelay();
            default -> limit;
        };
    }

    private static String words(Decision decision) {
        return "allowed=%b remaining=%d retry=%d reset=%d delay=%d at=%d"
                .formatted(
                        decision.allowed(),
                        decision.remaining(),
                        decision.retryAfterMicros(),
                        decision.resetAfterMicros(),
                        decision.delayMicros(),
                        decision.atMicros());
    }
}
