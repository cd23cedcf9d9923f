package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Every step of the clock back, on small limits after all kinds of traffic. */
class ClockStepTests {

    private static final long WINDOW = Limit.MIN_WINDOW_MICROS;

    private static final long EDGE = 1_000_000 * WINDOW;

    private static final long LARGEST_STEP = 2 * WINDOW + WINDOW / 2;

    private static final int HISTORIES = 12;

    /** Few, and more than the window has ticks. */
    private static final long[] PERMITS = {1, 2, 3, 4, 7, WINDOW + 1};

    @ParameterizedTest
    @EnumSource
    void nobodyIsBlockedForLongerThanTwoWindows(Algorithm algorithm) {
        forEveryStep(algorithm, (limit, state, now, step) -> {
            long blocked = state.retryAfter(limit, now - step, 1);
            assertThat(blocked).isBetween(0L, longestBlock(limit));
            assertThat(state.remaining(limit, now - step + blocked)).isPositive();
        });
    }

    @ParameterizedTest
    @EnumSource
    void aStepUpToTheStandstillAdmitsNothingExtra(Algorithm algorithm) {
        forEveryStep(algorithm, (limit, state, now, step) -> {
            if (state.latest() - (now - step) <= state.standstill(limit)) {
                assertThat(state.remaining(limit, now - step)).isLessThanOrEqualTo(state.remaining(limit, now));
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void aLargerStepAdmitsOneExtraLimitAndNoMore(Algorithm algorithm) {
        forEveryStep(algorithm, (limit, state, now, step) -> {
            if (state.latest() - (now - step) > state.standstill(limit)) {
                assertThat(state.remaining(limit, now - step)).isEqualTo(limit.limit());
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void afterAStepEveryWindowAdmitsWhatTheAlgorithmPromises(Algorithm algorithm) {
        forEveryStep(algorithm, (limit, state, now, step) -> {
            if (step % 97 == 0) {
                assertThat(mostInAWindow(limit, state.copy(), now - step)).isLessThanOrEqualTo(promise(limit));
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 0", "2, 500", "3, 666", "4, 750", "999, 998", "1000, 999", "1001, 999"})
    void aCounterStandsStillSoFarBehindItsWindow(long permits, long ticks) {
        Limit limit = limit(Algorithm.SLIDING_COUNTER, permits);
        assertThat(LimitState.fresh(limit).standstill(limit)).isEqualTo(ticks);
    }

    /** Two windows; those of the log are closed, so two of them are over one tick later. */
    private static long longestBlock(Limit limit) {
        return 2 * WINDOW + (limit.algorithm() == Algorithm.SLIDING_LOG ? 1 : 0);
    }

    private interface Property {
        void check(Limit limit, LimitState state, long now, long step);
    }

    private static void forEveryStep(Algorithm algorithm, Property property) {
        for (long permits : PERMITS) {
            Limit limit = limit(algorithm, permits);
            for (int seed = 0; seed < HISTORIES; seed++) {
                LimitState state = LimitState.fresh(limit);
                long now = traffic(limit, state, new Random(seed));
                for (long step = 0; step <= LARGEST_STEP; step++) {
                    property.check(limit, state, now, step);
                }
            }
        }
    }

    private static Limit limit(Algorithm algorithm, long permits) {
        Limit limit = Limit.ofMicros(algorithm, permits, WINDOW);
        return algorithm == Algorithm.LEAKY_BUCKET
                ? limit.withBurst(Math.max(0, permits - 1)).withNodelay()
                : limit;
    }

    /** Requests at random times, as many as are admitted; returns the time of the last one. */
    private static long traffic(Limit limit, LimitState state, Random random) {
        long now = EDGE + random.nextInt((int) WINDOW);
        for (int i = 0; i < 20; i++) {
            now += random.nextInt((int) WINDOW / 3);
            if (state.remaining(limit, now) > 0) {
                state.charge(limit, now, 1 + random.nextInt((int) state.remaining(limit, now)));
            }
        }
        return now;
    }

    /** The most that somebody gets within a window who asks at every tick from now on. */
    private static long mostInAWindow(Limit limit, LimitState state, long now) {
        Deque<Long> admitted = new ArrayDeque<>();
        int most = 0;
        for (long time = now; time <= now + 4 * WINDOW; time++) {
            for (long remaining = state.remaining(limit, time); remaining > 0; remaining--) {
                state.charge(limit, time, 1);
                admitted.addLast(time);
            }
            while (!admitted.isEmpty() && time - admitted.getFirst() > WINDOW) {
                admitted.removeFirst();
            }
            most = Math.max(most, admitted.size());
        }
        return most;
    }

    private static long promise(Limit limit) {
        return switch (limit.algorithm()) {
            case FIXED_WINDOW, TOKEN_BUCKET, LEAKY_BUCKET -> 2 * limit.limit();
            case SLIDING_LOG -> limit.limit();
            case SLIDING_COUNTER -> Math.max(1, 2 * limit.limit() - 1);
        };
    }
}
