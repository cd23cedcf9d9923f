package io.ratelimit.testing;

import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static io.ratelimit.core.Algorithm.LEAKY_BUCKET;
import static io.ratelimit.core.Algorithm.SLIDING_COUNTER;
import static io.ratelimit.core.Algorithm.SLIDING_LOG;
import static io.ratelimit.core.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What comes back, and what does not. */
public abstract class RefundContract extends BackendContract {

    private static final long MINUTE = 60_000_000;

    @ParameterizedTest
    @EnumSource
    void aRefundWorksOnce(Algorithm algorithm) {
        Policy policy = policy(ten(algorithm));
        acquire(policy, 3);
        Decision decision = acquire(policy, 4);
        assertThat(decision.refund()).isTrue();
        assertThat(decision.refund()).isFalse();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(7);
    }

    @ParameterizedTest
    @EnumSource
    void aRefusedDecisionHasNothingToGiveBack(Algorithm algorithm) {
        Policy policy = policy(ten(algorithm));
        acquire(policy, 10);
        assertThat(acquire(policy, 1).refund()).isFalse();
        assertThat(backend.peek(policy, "alice").remaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aRefundAfterLongGivesNothingBackTwice(Algorithm algorithm) {
        Policy policy = policy(ten(algorithm));
        Decision early = acquire(policy, 10);
        time.advanceMicros(3 * MINUTE);
        acquire(policy, 6);
        early.refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(4);
    }

    @Test
    void fixedWindowGivesBackInTheSameWindowOnly() {
        Policy policy = policy(ten(FIXED_WINDOW));
        Decision decision = acquire(policy, 4);
        time.advanceMicros(MINUTE);
        acquire(policy, 5);
        decision.refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(5);
    }

    @Test
    void slidingCounterGivesBackWhatTheWindowBeforeStillWeighs() {
        Policy policy = policy(ten(SLIDING_COUNTER));
        Decision decision = acquire(policy, 4);
        acquire(policy, 4);
        time.advanceMicros(MINUTE + MINUTE / 2);
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(6);
        decision.refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(8);
    }

    @Test
    void slidingLogGivesBackThoseEntries() {
        Policy policy = policy(ten(SLIDING_LOG));
        acquire(policy, 5);
        time.advanceMicros(MINUTE / 2);
        acquire(policy, 5).refund();
        time.advanceMicros(MINUTE / 2 + 1);
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(10);
    }

    @Test
    void tokenBucketGivesBackWhatHasNotFlowedIn() {
        Policy policy = policy(ten(TOKEN_BUCKET));
        acquire(policy, 6);
        Decision decision = acquire(policy, 4);
        time.advanceMicros(MINUTE / 10);
        decision.refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(4);
    }

    @Test
    void aWaitingRequestFreesItsPlaceIfNoneWaitsBehindIt() {
        Policy policy = policy(Limit.ofMicros(LEAKY_BUCKET, 1, 1_000_000).withBurst(5));
        acquire(policy, 1);
        Decision last = acquire(policy, 1);
        assertThat(last.delayMicros()).isEqualTo(1_000_000);
        last.refund();
        assertThat(acquire(policy, 1).delayMicros()).isEqualTo(1_000_000);
    }

    @Test
    void aWaitingRequestWithOthersBehindItKeepsItsPlace() {
        Policy policy = policy(Limit.ofMicros(LEAKY_BUCKET, 1, 1_000_000).withBurst(5));
        acquire(policy, 1);
        Decision middle = acquire(policy, 1);
        assertThat(acquire(policy, 1).delayMicros()).isEqualTo(2_000_000);
        middle.refund();
        assertThat(acquire(policy, 1).delayMicros()).isEqualTo(3_000_000);
    }

    /** Half a request was left in the queue when they came, and both leave a tenth of a second later, the last one first. */
    @Test
    void twoWhoCameAtOneInstantBothFreeTheirPlaces() {
        Policy policy = policy(Limit.ofMicros(LEAKY_BUCKET, 1, 1_000_000).withBurst(5));
        acquire(policy, 1);
        time.advanceMicros(500_000);
        Decision first = acquire(policy, 1);
        Decision last = acquire(policy, 1);
        assertThat(last.delayMicros()).isEqualTo(1_500_000);
        time.advanceMicros(100_000);
        last.refund();
        first.refund();
        assertThat(acquire(policy, 1).delayMicros()).isEqualTo(600_000);
    }

    @Test
    void aRefundReachesEveryLimitOfThePolicy() {
        Policy policy = policy(ten(FIXED_WINDOW), ten(SLIDING_LOG), ten(TOKEN_BUCKET));
        acquire(policy, 2);
        acquire(policy, 3).refund();
        assertThat(backend.peek(policy, "alice").limits())
                .extracting(status -> status.remaining())
                .containsExactly(8L, 8L, 8L);
    }

    @Test
    void aRefundOfAnEarlierPolicyLeavesAnAddedLimitAlone() {
        Policy one = policy(ten(FIXED_WINDOW));
        Policy two = changed(one, ten(FIXED_WINDOW), ten(SLIDING_COUNTER));
        Decision early = acquire(one, 4);
        acquire(two, 5);
        early.refund();
        assertThat(remaining(two)).containsExactly(5L, 5L);
    }

    @Test
    void aRefundOfAnEarlierPolicyLeavesAChangedLimitAlone() {
        Policy one = policy(ten(FIXED_WINDOW), ten(TOKEN_BUCKET));
        Policy two = changed(one, ten(SLIDING_COUNTER), ten(TOKEN_BUCKET));
        Decision early = acquire(one, 4);
        acquire(two, 5);
        early.refund();
        assertThat(remaining(two)).containsExactly(5L, 5L);
    }

    @Test
    void aRefundOfAnEarlierPolicyLeavesALimitWhereALogWasAlone() {
        Policy one = policy(ten(SLIDING_LOG), ten(FIXED_WINDOW));
        Policy two = changed(one, ten(TOKEN_BUCKET), ten(FIXED_WINDOW));
        Decision early = acquire(one, 4);
        early.refund();
        early = acquire(one, 4);
        acquire(two, 5);
        early.refund();
        assertThat(remaining(two)).containsExactly(5L, 5L);
    }

    @Test
    void aRefundOfAnEarlierPolicyFindsLimitsThatWereTakenAway() {
        Policy two = policy(ten(FIXED_WINDOW), ten(SLIDING_COUNTER));
        Policy one = changed(two, ten(FIXED_WINDOW));
        Decision early = acquire(two, 4);
        acquire(one, 5);
        early.refund();
        assertThat(remaining(one)).containsExactly(5L);
        assertThat(remaining(two)).containsExactly(5L, 10L);
    }

    /** The earlier bucket was smaller and filled faster: neither is what counts now. */
    @ParameterizedTest
    @EnumSource(names = {"TOKEN_BUCKET", "LEAKY_BUCKET"})
    void aRefundOfAnEarlierBucketNeitherDrainsNorCutsTheLaterOne(Algorithm algorithm) {
        Policy fast = policy(bucket(algorithm, 60, 5));
        Policy slow = changed(fast, bucket(algorithm, 1, 20));
        Decision early = acquire(fast, 2);
        acquire(slow, 10);
        time.advanceMicros(MINUTE / 60);
        early.refund();
        long capacity = algorithm == TOKEN_BUCKET ? 20 : 21;
        assertThat(backend.peek(slow, "alice").remaining()).isEqualTo(capacity - 11);
    }

    /** Ten were taken, three come back, so seven are missing in a bucket of five; and what flows in fills that up. */
    @Test
    void aRefundCountsAgainstAllThatWasTakenBeforeTheBucketBecameSmaller() {
        Policy ten = policy(ten(TOKEN_BUCKET));
        Policy five = changed(ten, Limit.ofMicros(TOKEN_BUCKET, 5, MINUTE));
        acquire(ten, 7);
        Decision three = acquire(ten, 3);
        assertThat(acquire(five, 1).allowed()).isFalse();
        three.refund();
        assertThat(backend.peek(five, "alice").remaining()).isZero();
        assertThat(backend.peek(ten, "alice").remaining()).isEqualTo(3);
        time.advanceMicros(MINUTE / 5);
        assertThat(backend.peek(five, "alice").remaining()).isEqualTo(1);
    }

    private static Policy changed(Policy policy, Limit... limits) {
        return Policy.of(policy.name(), limits);
    }

    private List<Long> remaining(Policy policy) {
        return backend.peek(policy, "alice").limits().stream()
                .map(LimitStatus::remaining)
                .toList();
    }

    /** The clock stands still, so time cannot tell what was charged before the reset. */
    @ParameterizedTest
    @EnumSource
    void whatWasChargedBeforeAResetIsNotGivenBack(Algorithm algorithm) {
        Policy policy = policy(ten(algorithm));
        Decision before = acquire(policy, 5);
        backend.reset(policy, "alice");
        Decision after = acquire(policy, 3);
        before.refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(7);
        after.refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void aResetOfAnotherKeyChangesNoRefund(Algorithm algorithm) {
        Policy policy = policy(ten(algorithm));
        Decision decision = acquire(policy, 5);
        backend.reset(policy, "bob");
        backend.reset(policy(ten(algorithm)), "alice");
        decision.refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(10);
    }

    @ParameterizedTest
    @EnumSource
    void aResetOfEverythingEndsAllRefunds(Algorithm algorithm) {
        Policy policy = policy(ten(algorithm));
        Decision before = acquire(policy, 5);
        backend.reset();
        acquire(policy, 3);
        before.refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(7);
    }

    private static Limit bucket(Algorithm algorithm, long permits, long burst) {
        Limit limit = Limit.ofMicros(algorithm, permits, MINUTE).withBurst(burst);
        return algorithm == LEAKY_BUCKET ? limit.withNodelay() : limit;
    }

    private static Limit ten(Algorithm algorithm) {
        Limit limit = Limit.ofMicros(algorithm, 10, MINUTE);
        return algorithm == LEAKY_BUCKET ? limit.withBurst(9).withNodelay() : limit;
    }
}
