package io.ratelimit.core;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which keys were reset, for as long as somebody may give back what was charged before: a key that was reset owes
 * nothing for that, and what it holds was charged since.
 *
 * <p>Time does not tell before from after, because a clock may stand still. So each reset begins an era, and a decision
 * keeps the era in which it charged. The last {@value #REMEMBERED} resets are remembered; what was charged before those is
 * not given back any more, so that no decision, however long its request runs, holds on to all that happens meanwhile.
 */
public final class Resets {

    private static final int REMEMBERED = 1 << 14;

    private final Giving giving;

    private volatile Era current = new Era(0);

    /** The resets by the number of the era that they ended, the latest of each place; made with the first reset. */
    private volatile @Nullable AtomicReferenceArray<@Nullable Reset> latest;

    /** Gives back what a decision charged. */
    @FunctionalInterface
    public interface Giving {

        /**
         * Gives back, unless there was a reset.
         *
         * @param decision the decision
         * @param wasReset whether there was, to be asked once more where no reset can come in between
         */
        void giveBack(Decision decision, BooleanSupplier wasReset);
    }

    /**
     * Begins without resets.
     *
     * @param giving gives back
     */
    public Resets(Giving giving) {
        this.giving = giving;
    }

    /** {@return what gives back the charges of decisions that are made now, and nothing once their key was reset} */
    public Refunds sinceNow() {
        return current;
    }

    /**
     * Takes note that a key was reset. Where others charge and refund meanwhile, to be called before its counts are
     * forgotten and again after that.
     *
     * @param policy the name of its policy
     * @param key the partition key
     */
    public void reset(String policy, String key) {
        begin(new Reset(policy, key));
    }

    /**
     * Takes note that all keys of a policy were reset, in the same way.
     *
     * @param policy the name of the policy
     */
    public void reset(String policy) {
        begin(new Reset(policy, null));
    }

    /** Takes note that all keys were reset, in the same way. */
    public void reset() {
        begin(new Reset(null, null));
    }

    private synchronized void begin(Reset reset) {
        AtomicReferenceArray<@Nullable Reset> resets = latest;
        if (resets == null) {
            resets = new AtomicReferenceArray<>(REMEMBERED);
            latest = resets;
        }
        resets.set(place(current.number), reset);
        current = new Era(current.number + 1);
    }

    private static int place(long era) {
        return (int) (era % REMEMBERED);
    }

    private record Reset(@Nullable String policy, @Nullable String key) {

        boolean concerns(Decision decision) {
            boolean samePolicy =
                    policy == null || policy.equals(decision.policy().name());
            return samePolicy && (key == null || key.equals(decision.key()));
        }
    }

    /** A time without resets. */
    private final class Era implements Refunds {

        private final long number;

        Era(long number) {
            this.number = number;
        }

        @Override
        public void refund(Decision decision) {
            if (!wasReset(decision)) {
                giving.giveBack(decision, () -> wasReset(decision));
            }
        }

        private boolean wasReset(Decision decision) {
            long now = current.number;
            for (long era = number; era < now && now - number <= REMEMBERED; era++) {
                Reset reset = Objects.requireNonNull(latest).get(place(era));
                if (Objects.requireNonNull(reset).concerns(decision)) {
                    return true;
                }
            }
            // Asked again, for what was looked at may have been replaced by later ones meanwhile.
            return current.number - number > REMEMBERED;
        }
    }
}
