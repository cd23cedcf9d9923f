package io.ratelimit.testing;

import static io.ratelimit.core.Algorithm.SLIDING_COUNTER;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clocks that step back. */
public abstract class SteppedClockContract extends BackendContract {

    @ParameterizedTest
    @EnumSource
    void aClockThatStepsBackNeverGivesMoreThanOneExtraLimitAndRetryAfterIsKept(Algorithm algorithm) {
        Policy policy = policy(three(algorithm));
        assertThat(admitted(policy, 4)).isEqualTo(3);
        time.advanceMicros(-30 * SECOND);
        Decision refused = acquire(policy, 1);
        assertThat(refused.allowed()).isFalse();
        assertThat(refused.retryAfterMicros()).isBetween(30 * SECOND, 120 * SECOND + 1);
        time.advanceMicros(refused.retryAfterMicros() - 1);
        assertThat(acquire(policy, 1).allowed()).isFalse();
        time.advanceMicros(1);
        assertThat(acquire(policy, 1).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void aStateTooFarAheadIsFresh(Algorithm algorithm) {
        Policy policy = policy(three(algorithm));
        assertThat(admitted(policy, 4)).isEqualTo(3);
        time.advanceMicros(-(algorithm == Algorithm.SLIDING_COUNTER ? 40 : 60) * SECOND);
        assertThat(admitted(policy, 4)).isZero();
        time.advanceMicros(-1);
        assertThat(admitted(policy, 4)).isEqualTo(3);
        time.advanceMicros(-86_400 * SECOND);
        assertThat(admitted(policy, 4)).isEqualTo(3);
    }

    @ParameterizedTest
    @EnumSource
    void aSmallStepBackOverAnEdgeAdmitsNothingExtra(Algorithm algorithm) {
        for (long permits = 2; permits <= 3; permits++) {
            Policy policy = policy(minute(algorithm, permits));
            for (long behind : new long[] {0, 1, SECOND, 30 * SECOND}) {
                time.set(EDGE - behind);
                assertThat(acquire(policy, permits).allowed()).isEqualTo(behind == 0);
            }
        }
    }

    /** It blocks for two windows without any step, so it must not stand still for a tick. */
    @Test
    void aCounterOfLimitOneBlocksForTwoWindowsWhateverTheClockDoes() {
        Policy policy = policy(minute(SLIDING_COUNTER, 1));
        acquire(policy, 1);
        time.advanceMicros(-1);
        Decision extra = acquire(policy, 1);
        assertThat(Oracle.words(extra))
                .isEqualTo("allowed=true remaining=0 retry=0 reset=%d delay=0".formatted(60 * SECOND + 1));
        time.set(EDGE);
        assertThat(acquire(policy, 1).retryAfterMicros()).isEqualTo(60 * SECOND);
    }
}
