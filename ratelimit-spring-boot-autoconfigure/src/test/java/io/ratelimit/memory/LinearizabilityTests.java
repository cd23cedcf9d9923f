package io.ratelimit.memory;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.Policy;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.ThreadIdGen;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever threads do to the store at once, the outcome is one that could have come about one after the other. Here real
 * threads meet by chance; that every interleaving on a state is right is checked where states are.
 */
@Tag("long")
class LinearizabilityTests {

    /** What can be done to one key; each scenario of Lincheck starts with a new store. */
    @Param(name = "thread", gen = ThreadIdGen.class)
    public abstract static class OneKey {

        private static final int THREADS = 8;

        private final MemoryBackend backend = MemoryBackend.withoutSweeper(new ManualTimeSource(3_600_000_000L), 100);

        /** The last decision of each thread, touched by that thread alone: so its refund is one step, like all others. */
        private final Decision[] decisions = new Decision[THREADS];

        /** A constant of the class: Lincheck cannot look into records that are there at the beginning. */
        abstract Policy policy();

        @Operation
        public String acquireOne(@Param(name = "thread") int thread) {
            decisions[thread] = backend.acquire(policy(), "a", 1, Acquisition.Mode.SPEND);
            return words(decisions[thread]);
        }

        @Operation
        public String acquireTwo(@Param(name = "thread") int thread) {
            decisions[thread] = backend.acquire(policy(), "a", 2, Acquisition.Mode.SPEND);
            return words(decisions[thread]);
        }

        @Operation
        public boolean refund(@Param(name = "thread") int thread) {
            return decisions[thread] != null && decisions[thread].refund();
        }

        @Operation
        public String peek() {
            return words(backend.peek(policy(), "a"));
        }

        @Operation
        public void sweep() {
            backend.sweep();
        }

        @Operation
        public void reset() {
            backend.reset(policy(), "a");
        }

        private static String words(Decision decision) {
            return "%s %d %d %d"
                    .formatted(
                            decision.allowed(),
                            decision.remaining(),
                            decision.retryAfterMicros(),
                            decision.resetAfterMicros());
        }

        static Policy three(Algorithm... algorithms) {
            return Policy.of("p", Arrays.stream(algorithms).map(OneKey::limit).toArray(Limit[]::new));
        }

        private static Limit limit(Algorithm algorithm) {
            Limit limit = Limit.ofMicros(algorithm, 3, 60_000_000);
            return algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(2).withNodelay() : limit;
        }
    }

    /** One limit that counts in fixed windows. */
    public static final class OneFixedWindow extends OneKey {
        private static final Policy POLICY = three(Algorithm.FIXED_WINDOW);

        @Override
        Policy policy() {
            return POLICY;
        }
    }

    /** One limit that keeps a log. */
    public static final class OneSlidingLog extends OneKey {
        private static final Policy POLICY = three(Algorithm.SLIDING_LOG);

        @Override
        Policy policy() {
            return POLICY;
        }
    }

    /** One limit that weighs two windows. */
    public static final class OneSlidingCounter extends OneKey {
        private static final Policy POLICY = three(Algorithm.SLIDING_COUNTER);

        @Override
        Policy policy() {
            return POLICY;
        }
    }

    /** One limit with tokens. */
    public static final class OneTokenBucket extends OneKey {
        private static final Policy POLICY = three(Algorithm.TOKEN_BUCKET);

        @Override
        Policy policy() {
            return POLICY;
        }
    }

    /** One limit with a queue. */
    public static final class OneLeakyBucket extends OneKey {
        private static final Policy POLICY = three(Algorithm.LEAKY_BUCKET);

        @Override
        Policy policy() {
            return POLICY;
        }
    }

    /** Two limits that are charged together. */
    public static final class TwoLimits extends OneKey {
        private static final Policy POLICY = three(Algorithm.TOKEN_BUCKET, Algorithm.SLIDING_LOG);

        @Override
        Policy policy() {
            return POLICY;
        }
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void theOutcomeIsThatOfSomeOrder(Class<? extends OneKey> subject) {
        new StressOptions()
                .iterations(2)
                .invocationsPerIteration(100)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .minimizeFailedScenario(false)
                .check(subject);
    }

    static List<Class<? extends OneKey>> subjects() {
        return List.of(
                OneFixedWindow.class,
                OneSlidingLog.class,
                OneSlidingCounter.class,
                OneTokenBucket.class,
                OneLeakyBucket.class,
                TwoLimits.class);
    }
}
