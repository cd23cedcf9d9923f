package io.ratelimit.testing;

import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static io.ratelimit.core.Algorithm.LEAKY_BUCKET;
import static io.ratelimit.core.Algorithm.SLIDING_COUNTER;
import static io.ratelimit.core.Algorithm.SLIDING_LOG;
import static io.ratelimit.core.Algorithm.TOKEN_BUCKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Costs at the edges, several limits and changed limits. */
public abstract class DecisionContract extends BackendContract {

    @ParameterizedTest
    @EnumSource
    void costZeroIsAdmittedUndelayedAndChargesNothing(Algorithm algorithm) {
        Policy policy = policy(three(algorithm));
        assertThat(admitted(policy, 4)).isEqualTo(3);
        Decision decision = acquire(policy, 0);
        assertThat(decision.allowed()).isTrue();
        assertThat(decision.remaining()).isZero();
        assertThat(decision.delayMicros()).isZero();
        assertThat(decision.refund()).isFalse();
        assertThat(backend.peek(policy, "alice").remaining()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void peekAnswersForCostOneAndChargesNothing(Algorithm algorithm) {
        Policy policy = policy(three(algorithm));
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(3);
        assertThat(admitted(policy, 3)).isEqualTo(3);
        Decision refused = backend.peek(policy, "alice");
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfterMicros()).isPositive();
        assertThat(Oracle.words(acquire(policy, 1))).isEqualTo(Oracle.words(refused));
    }

    @ParameterizedTest
    @EnumSource
    void negativeCostIsAnError(Algorithm algorithm) {
        Policy policy = policy(three(algorithm));
        for (long cost : new long[] {-1, Long.MIN_VALUE}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> acquire(policy, cost))
                    .withMessage(
                            "policy '%s': cost %d is negative; use 0 to look without charging, or a positive number"
                                    .formatted(policy.name(), cost));
        }
    }

    @ParameterizedTest
    @EnumSource
    void costAboveCapacityIsNeverAdmittedAndChangesNothing(Algorithm algorithm) {
        Policy policy = policy(three(algorithm));
        for (long cost : new long[] {4, Long.MAX_VALUE - 1, Long.MAX_VALUE}) {
            Decision decision = acquire(policy, cost);
            assertThat(Oracle.words(decision)).isEqualTo("allowed=false remaining=3 retry=-1 reset=0 delay=0");
        }
        assertThat(admitted(policy, 4)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void limitZeroRefusesEveryCostWithoutRetryAfter(Algorithm algorithm) {
        Policy policy = policy(Limit.ofMicros(algorithm, 0, SECOND));
        assertThat(Oracle.words(acquire(policy, 1))).isEqualTo("allowed=false remaining=0 retry=-1 reset=0 delay=0");
        assertThat(acquire(policy, 0).allowed()).isTrue();
        time.advanceMicros(10 * SECOND);
        assertThat(acquire(policy, 1).retryAfterMicros()).isEqualTo(Decision.NEVER);
    }

    @Test
    void limitZeroRefusesWhateverTheBurst() {
        assertThat(acquire(policy(Limit.ofMicros(TOKEN_BUCKET, 0, SECOND).withBurst(5)), 1)
                        .allowed())
                .isFalse();
        assertThat(acquire(policy(Limit.ofMicros(LEAKY_BUCKET, 0, SECOND).withBurst(5)), 1)
                        .allowed())
                .isFalse();
    }

    @Test
    void retryAfterOfAPolicyIsTheLargestOfTheLimitsThatRefused() {
        Policy policy = policy(
                Limit.ofMicros(FIXED_WINDOW, 1, SECOND),
                Limit.ofMicros(FIXED_WINDOW, 1, 60 * SECOND),
                Limit.ofMicros(FIXED_WINDOW, 9, 3600 * SECOND));
        assertThat(acquire(policy, 1).allowed()).isTrue();
        Decision refused = acquire(policy, 1);
        assertThat(refused.retryAfterMicros()).isEqualTo(60 * SECOND);
        assertThat(refused.limits()).extracting(LimitStatus::allowed).containsExactly(false, false, true);
        assertThat(refused.limits()).extracting(LimitStatus::remaining).containsExactly(0L, 0L, 8L);
        assertThat(acquire(policy, 2).retryAfterMicros()).isEqualTo(Decision.NEVER);
    }

    @Test
    void aWaitThatWouldBeTooLongIsARefusalUntilItWouldNot() {
        Policy policy =
                policy(Limit.ofMicros(LEAKY_BUCKET, 1, SECOND).withBurst(10).withMaxDelay(Duration.ofMillis(1500)));
        assertThat(acquire(policy, 1).delayMicros()).isZero();
        assertThat(acquire(policy, 1).delayMicros()).isEqualTo(SECOND);
        Decision refused = acquire(policy, 1);
        assertThat(refused.retryAfterMicros()).isEqualTo(SECOND / 2);
        assertThat(acquire(policy, 11).retryAfterMicros()).isEqualTo(Decision.NEVER);
        time.advanceMicros(SECOND / 2);
        assertThat(acquire(policy, 1).delayMicros()).isEqualTo(1_500_000);
    }

    @ParameterizedTest
    @EnumSource
    void aChangedLimitKeepsWhatWasUsed(Algorithm algorithm) {
        Policy five = policy(minute(algorithm, 5));
        Policy same = Policy.of(five.name(), five.limits().get(0));
        Limit changed = minute(algorithm, 8);
        Policy more = Policy.of(five.name(), changed);
        Policy less = Policy.of(five.name(), minute(algorithm, 2));
        assertThat(admitted(five, 4)).isEqualTo(4);
        assertThat(backend.peek(same, "alice").remaining()).isEqualTo(1);
        assertThat(backend.peek(more, "alice").remaining()).isEqualTo(4);
        assertThat(acquire(less, 1).allowed()).isFalse();
        assertThat(acquire(less, 1).remaining()).isZero();
        assertThat(acquire(more, 1).remaining()).isEqualTo(3);
        assertThat(admitted(five, 2)).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void aLimitThatIsAddedLeavesWhatTheFirstCounted(Algorithm algorithm) {
        Limit first = minute(algorithm, 5);
        Policy one = policy(first);
        Policy two = Policy.of(one.name(), first, Limit.ofMicros(FIXED_WINDOW, 1_000, 60 * SECOND));
        assertThat(admitted(one, 4)).isEqualTo(4);
        assertThat(acquire(two, 1).allowed()).isTrue();
        assertThat(acquire(two, 1).allowed()).isFalse();
        assertThat(acquire(one, 1).allowed()).isFalse();
    }

    @Test
    void aSmallerBucketLacksNoMoreThanItHolds() {
        Policy ten = policy(Limit.ofMicros(TOKEN_BUCKET, 10, 60 * SECOND));
        Policy five = Policy.of(ten.name(), Limit.ofMicros(TOKEN_BUCKET, 5, 60 * SECOND));
        assertThat(admitted(ten, 11)).isEqualTo(10);
        assertThat(acquire(five, 1).retryAfterMicros()).isEqualTo(12 * SECOND);
        time.advanceMicros(12 * SECOND);
        assertThat(acquire(five, 1).allowed()).isTrue();
    }

    /** Of 50 entries, 41 have to leave before there is one permit in a log of ten, and as many whatever is asked for. */
    @Test
    void costZeroIsToldWhenALogThatWasCutLetsSomebodyIn() {
        Policy many = policy(minute(SLIDING_LOG, 100));
        Policy ten = Policy.of(many.name(), minute(SLIDING_LOG, 10));
        acquire(many, 40);
        time.advanceMicros(SECOND);
        acquire(many, 5);
        time.advanceMicros(SECOND);
        acquire(many, 5);
        assertThat(Oracle.words(acquire(ten, 0)))
                .isEqualTo("allowed=true remaining=0 retry=0 reset=%d delay=0".formatted(59 * SECOND + 1));
        assertThat(acquire(ten, 1).retryAfterMicros()).isEqualTo(59 * SECOND + 1);
    }

    @Test
    void aChangedWindowOrAlgorithmStartsFreshWhileOthersCarryOver() {
        Limit kept = Limit.ofMicros(SLIDING_LOG, 9, 60 * SECOND);
        Policy policy = policy(Limit.ofMicros(FIXED_WINDOW, 5, SECOND), kept);
        assertThat(admitted(policy, 4)).isEqualTo(4);
        Policy window = Policy.of(policy.name(), Limit.ofMicros(FIXED_WINDOW, 5, 2 * SECOND), kept);
        assertThat(acquire(window, 1).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(4L, 4L);
        Policy algorithm = Policy.of(policy.name(), Limit.ofMicros(TOKEN_BUCKET, 5, 2 * SECOND), kept);
        assertThat(acquire(algorithm, 1).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(4L, 3L);
        assertThat(acquire(Policy.of(policy.name(), kept), 1).remaining()).isEqualTo(8);
    }

    @Test
    void aRefusalUnderAChangedWindowChangesNothing() {
        Policy policy = policy(Limit.ofMicros(FIXED_WINDOW, 5, SECOND));
        Policy changed = Policy.of(policy.name(), Limit.ofMicros(FIXED_WINDOW, 5, 2 * SECOND));
        assertThat(admitted(policy, 4)).isEqualTo(4);
        assertThat(acquire(changed, 6).allowed()).isFalse();
        assertThat(acquire(policy, 1).remaining()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "\u0000", "{", "a{b}", "\uD83D\uDE00", "\u4E2D"})
    void keysAreAnyText(String key) {
        Policy policy = policy(three(FIXED_WINDOW));
        assertThat(acquire(policy, key, 3).allowed()).isTrue();
        assertThat(acquire(policy, key, 1).allowed()).isFalse();
        assertThat(acquire(policy, key + "'", 1).allowed()).isTrue();
    }

    @Test
    void severalPoliciesAreChargedAllOrNone() {
        Policy wide = policy(Limit.ofMicros(SLIDING_COUNTER, 9, 60 * SECOND));
        Policy narrow = policy(Limit.ofMicros(FIXED_WINDOW, 1, 60 * SECOND));
        List<Acquisition> both = List.of(Acquisition.of(wide, "alice", 2), Acquisition.of(narrow, "alice", 1));
        assertThat(backend.acquireAll(both)).extracting(Decision::allowed).containsExactly(true, true);
        List<Decision> refused = backend.acquireAll(both);
        assertThat(refused).extracting(Decision::allowed).containsExactly(true, false);
        assertThat(refused).extracting(Decision::remaining).containsExactly(7L, 0L);
        assertThat(refused.get(0).refund()).isFalse();
        assertThat(backend.peek(wide, "alice").remaining()).isEqualTo(7);
    }

    @Test
    void theSameKeyTwiceInOneCallSumsItsCosts() {
        Policy policy = policy(Limit.ofMicros(TOKEN_BUCKET, 5, 60 * SECOND));
        Acquisition three = Acquisition.of(policy, "alice", 3);
        assertThat(backend.acquireAll(List.of(three, three)))
                .extracting(Decision::allowed)
                .containsExactly(true, false);
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(5);
        Acquisition two = Acquisition.of(policy, "alice", 2);
        assertThat(backend.acquireAll(List.of(three, two)))
                .extracting(Decision::remaining)
                .containsExactly(2L, 0L);
    }

    @ParameterizedTest
    @EnumSource
    void theSameKeyTwiceIsToldTheTruthAboutBoth(Algorithm algorithm) {
        Policy policy = policy(minute(algorithm, 5));
        Acquisition three = Acquisition.of(policy, "alice", 3);
        List<Decision> never = backend.acquireAll(List.of(three, three));
        assertThat(never).extracting(Decision::remaining).containsExactly(5L, 5L);
        assertThat(never.get(1).retryAfterMicros()).isEqualTo(Decision.NEVER);
        assertThat(acquire(policy, 1).remaining()).isEqualTo(4);
        Acquisition two = Acquisition.of(policy, "alice", 2);
        List<Decision> later = backend.acquireAll(List.of(three, two));
        assertThat(later).extracting(Decision::allowed).containsExactly(true, false);
        time.advanceMicros(later.get(1).retryAfterMicros() - 1);
        assertThat(backend.acquireAll(List.of(three, two)).get(1).allowed()).isFalse();
        time.advanceMicros(1);
        List<Decision> both = backend.acquireAll(List.of(three, two));
        assertThat(both).extracting(Decision::remaining).containsExactly(2L, 0L);
        both.get(0).refund();
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void costZeroBesideAChargeOfItsBucketIsToldWhatRemainsThen(Algorithm algorithm) {
        Policy policy = policy(minute(algorithm, 5));
        Acquisition two = Acquisition.of(policy, "alice", 2);
        Acquisition none = Acquisition.of(policy, "alice", 0);
        List<Decision> after = backend.acquireAll(List.of(two, none));
        assertThat(after).extracting(Decision::remaining).containsExactly(3L, 3L);
        assertThat(after).extracting(Decision::cost).containsExactly(2L, 0L);
        assertThat(after.get(1).resetAfterMicros()).isEqualTo(after.get(0).resetAfterMicros());
        assertThat(after.get(1).refund()).isFalse();
        List<Decision> before = backend.acquireAll(List.of(none, two));
        assertThat(before).extracting(Decision::remaining).containsExactly(3L, 1L);
        assertThat(backend.peek(policy, "alice").remaining()).isEqualTo(1);
    }

    @Test
    void whoAsksTwiceDoesNotBlockHimselfBelowTheLimit() {
        Policy policy = policy(three(FIXED_WINDOW));
        Acquisition two = Acquisition.of(policy, "alice", 2);
        assertThat(backend.acquireAll(List.of(two, two)).get(1).allowed()).isFalse();
        assertThat(acquire(policy, 2).allowed()).isTrue();
    }

    @Test
    void moreLimitsThanOneScriptHoldsAreChargedAllOrNone() {
        Policy narrow = policy(three(FIXED_WINDOW));
        List<Acquisition> asked = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            asked.add(Acquisition.of(policy(minute(TOKEN_BUCKET, 9), minute(SLIDING_LOG, 8)), "alice", 2));
        }
        asked.add(Acquisition.of(narrow, "alice", 2));
        assertThat(backend.acquireAll(asked)).allMatch(Decision::allowed);
        List<Decision> refused = backend.acquireAll(asked);
        assertThat(refused.get(8).allowed()).isFalse();
        assertThat(refused.subList(0, 8)).allMatch(decision -> decision.allowed() && decision.remaining() == 6);
        for (Acquisition one : asked.subList(0, 8)) {
            assertThat(backend.peek(one.policy(), "alice").remaining()).isEqualTo(6);
        }
    }

    @Test
    void twoPoliciesOfOneNameAndKeyShareTheirCount() {
        Policy free = policy(three(FIXED_WINDOW));
        Policy pro = new Policy(free.name(), List.of(minute(FIXED_WINDOW, 5)), null);
        List<Acquisition> both = List.of(Acquisition.of(free, "alice", 2), Acquisition.of(pro, "alice", 2));
        assertThat(backend.acquireAll(both)).allMatch(Decision::allowed);
        assertThat(backend.acquireAll(both)).extracting(Decision::allowed).contains(false);
        assertThat(backend.peek(pro, "alice").remaining()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void aPolicyOfAsManyLimitsAsThereMayBe(Algorithm algorithm) {
        Limit[] many = new Limit[Policy.MOST_LIMITS];
        Arrays.fill(many, minute(algorithm, 10));
        Policy policy = policy(many);
        acquire(policy, 3);
        Decision decision = acquire(policy, 7);
        assertThat(decision.allowed()).isTrue();
        assertThat(acquire(policy, 1).retryAfterMicros()).isPositive();
        decision.refund();
        assertThat(backend.peek(policy, "alice").limits())
                .extracting(status -> status.remaining())
                .containsOnly(7L);
    }

    @Test
    void aPolicyOfTooManyLimitsCannotBe() {
        Limit[] many = new Limit[Policy.MOST_LIMITS + 1];
        Arrays.fill(many, three(FIXED_WINDOW));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Policy.of("crowd", many))
                .withMessage("policy 'crowd' has 13 limits; at most 12 can decide together, so leave some out");
    }

    @ParameterizedTest
    @EnumSource
    void resetForgetsOneKey(Algorithm algorithm) {
        Policy policy = policy(three(algorithm));
        acquire(policy, "alice", 3);
        acquire(policy, "bob", 3);
        backend.reset(policy, "alice");
        assertThat(acquire(policy, "alice", 3).allowed()).isTrue();
        assertThat(acquire(policy, "bob", 1).allowed()).isFalse();
    }
}
