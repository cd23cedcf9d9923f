package io.ratelimit.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which keys were reset, for as long as somebody may give back what was charged before: a key that was reset owes
 * nothing for that, and what it holds was charged since.
 *
 * <p>Time does not tell before from after, because a clock may stand still. So each reset begins an era, and a decision
 * keeps the era in which it charged. Eras know only their successors: those that no decision keeps are forgotten.
 */
public final class Resets {

    private final Refunds refunds;

    private volatile Era current = new Era();

    /**
     * Begins without resets.
     *
     * @param refunds what gives back, unless there was a reset
     */
    public Resets(Refunds refunds) {
        this.refunds = refunds;
    }

    /** {@return what gives back the charges of decisions that are made now, and nothing once their key was reset} */
    public Refunds sinceNow() {
        return current;
    }

    /**
     * Takes note that a key was reset.
     *
     * @param policy the name of its policy
     * @param key the partition key
     */
    public void reset(String policy, String key) {
        begin(new Reset(policy, key));
    }

    /** Takes note that all keys were reset. */
    public void reset() {
        begin(new Reset(null, null));
    }

    private synchronized void begin(Reset reset) {
        Era next = new Era();
        current.ending = reset;
        current.next = next;
        current = next;
    }

    private record Reset(@Nullable String policy, @Nullable String key) {

        boolean concerns(Decision decision) {
            return policy == null || policy.equals(decision.policy().name()) && Objects.equals(key, decision.key());
        }
    }

    /** A time without resets. */
    private final class Era implements Refunds {

        private @Nullable Reset ending;

        /** Set after {@link #ending}, and never changed again. */
        private volatile @Nullable Era next;

        @Override
        public void refund(Decision decision) {
            Era era = this;
            for (Era after = era.next; after != null; after = era.next) {
                if (Objects.requireNonNull(era.ending).concerns(decision)) {
                    return;
                }
                era = after;
            }
            refunds.refund(decision);
        }
    }
}
