package io.ratelimit.core;

import java.util.Arrays;
import java.util.List;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * However two threads are interleaved on one state, the outcome is one that could have come about one after the other.
 *
 * <p>Lincheck chooses the interleavings and switches away from a thread that spins for the claim. What it checks is
 * the claim together with each algorithm's arithmetic. The store around it cannot be explored like this: Lincheck 3.6
 * reflects on comparators of the JDK that modules close to it. There, threads meet by chance.
 */
@Tag("long")
@Tag("interleaving")
class StateInterleavingTests {

    /** What can be done to a state; each scenario of Lincheck starts with a fresh one. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    public abstract static class OneState {

        private static final int THREADS = 4;

        private static final long NOW = 3_600_000_000L;

        private final Policy policy;

        private final BucketState state;

        /** What each thread took last, touched by that thread alone. */
        private final long[] taken = new long[THREADS];

        OneState(boolean packed, Algorithm... algorithms) {
            policy = Policy.of(
                    "p", Arrays.stream(algorithms).map(OneState::three).toArray(Limit[]::new));
            state = packed ? BucketState.freshAndPacked(policy) : BucketState.fresh(policy);
            state.release(policy);
        }

        OneState(Algorithm... algorithms) {
            this(false, algorithms);
        }

        @Operation
        public long acquireOne(@Param(name = "thread") int thread) {
            return acquire(thread, 1);
        }

        @Operation
        public long acquireTwo(@Param(name = "thread") int thread) {
            return acquire(thread, 2);
        }

        @Operation
        public long refund(@Param(name = "thread") int thread) {
            Policy last = state.claim();
            for (int i = 0; i < state.parts() && taken[thread] > 0; i++) {
                Limit limit = policy.limits().get(i);
                state.part(i).refund(NOW, taken[thread], NOW, new LimitStatus(limit, true, 0, 0, 0, 0));
            }
            taken[thread] = 0;
            long left = left();
            state.release(last);
            return left;
        }

        @Operation
        public long look() {
            Policy last = state.claim();
            long left = left();
            state.release(last);
            return left;
        }

        /** Permits left, or the complement if refused. */
        private long acquire(int thread, long permits) {
            Decision decision = state.decideAtOnce(nowhere -> {}, policy, "key", permits, () -> NOW);
            if (decision != null) {
                taken[thread] = decision.allowed() ? permits : taken[thread];
                return decision.allowed() ? decision.remaining() : -1 - decision.remaining();
            }
            Policy last = state.claim();
            long left = left();
            if (permits <= left) {
                for (int i = 0; i < state.parts(); i++) {
                    state.part(i).charge(policy.limits().get(i), NOW, permits);
                }
                taken[thread] = permits;
                left = left();
            } else {
                left = -1 - left;
            }
            state.release(last);
            return left;
        }

        private long left() {
            long least = Long.MAX_VALUE;
            for (int i = 0; i < state.parts(); i++) {
                least = Math.min(least, state.part(i).remaining(policy.limits().get(i), NOW));
            }
            return least;
        }

        private static Limit three(Algorithm algorithm) {
            Limit limit = Limit.ofMicros(algorithm, 3, 60_000_000);
            return algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(2).withNodelay() : limit;
        }
    }

    /** One limit that counts in fixed windows. */
    public static final class OneFixedWindow extends OneState {
        public OneFixedWindow() {
            super(Algorithm.FIXED_WINDOW);
        }
    }

    /** One limit that keeps a log. */
    public static final class OneSlidingLog extends OneState {
        public OneSlidingLog() {
            super(Algorithm.SLIDING_LOG);
        }
    }

    /** One limit that weighs two windows. */
    public static final class OneSlidingCounter extends OneState {
        public OneSlidingCounter() {
            super(Algorithm.SLIDING_COUNTER);
        }
    }

    /** One limit with tokens. */
    public static final class OneTokenBucket extends OneState {
        public OneTokenBucket() {
            super(Algorithm.TOKEN_BUCKET);
        }
    }

    /** One limit with a queue. */
    public static final class OneLeakyBucket extends OneState {
        public OneLeakyBucket() {
            super(Algorithm.LEAKY_BUCKET);
        }
    }

    /** One limit that counts in fixed windows, in one word. */
    public static final class OnePackedWindow extends OneState {
        public OnePackedWindow() {
            super(true, Algorithm.FIXED_WINDOW);
        }
    }

    /** One limit that weighs two windows, in one word. */
    public static final class OnePackedCounter extends OneState {
        public OnePackedCounter() {
            super(true, Algorithm.SLIDING_COUNTER);
        }
    }

    /** One limit with tokens, in one word. */
    public static final class OnePackedDebt extends OneState {
        public OnePackedDebt() {
            super(true, Algorithm.TOKEN_BUCKET);
        }
    }

    /** Two limits that are charged together. */
    public static final class TwoLimits extends OneState {
        public TwoLimits() {
            super(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_LOG);
        }
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void everyInterleavingIsAsGoodAsSomeOrder(Class<? extends OneState> subject) {
        new ModelCheckingOptions()
                .iterations(8)
                .invocationsPerIteration(300)
                .threads(2)
                .actorsPerThread(1)
                .actorsBefore(0)
                .actorsAfter(1)
                .minimizeFailedScenario(false)
                .check(subject);
    }

    static List<Class<? extends OneState>> subjects() {
        return List.of(
                OneFixedWindow.class,
                OneSlidingLog.class,
                OneSlidingCounter.class,
                OneTokenBucket.class,
                OneLeakyBucket.class,
                OnePackedWindow.class,
                OnePackedCounter.class,
                OnePackedDebt.class,
                TwoLimits.class);
    }
}
