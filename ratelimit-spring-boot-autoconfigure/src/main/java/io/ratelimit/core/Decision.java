package io.ratelimit.core;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RateLimiter} answered: admitted or refused, and the numbers a client can rely on. All times are
 * microseconds.
 */
public abstract sealed class Decision
        permits SingleLimitDecision, PackedDecision, SeveralLimitsDecision, UncountedDecision {

    /** Stands for "however long you wait" in {@link #retryAfterMicros()}. */
    public static final long NEVER = -1;

    private static final VarHandle CHARGED_BY;

    static {
        try {
            CHARGED_BY = MethodHandles.lookup().findVarHandle(Decision.class, "chargedBy", Refunds.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Policy policy;

    private final String key;

    private final long cost;

    private final long atMicros;

    /** Takes the charge back; {@code null} if there is nothing to give back (any more). */
    private volatile @Nullable Refunds chargedBy;

    Decision(@Nullable Refunds chargedBy, Policy policy, String key, long cost, long atMicros) {
        this.policy = policy;
        this.key = key;
        this.cost = cost;
        this.atMicros = atMicros;
        CHARGED_BY.set(this, chargedBy);
    }

    /**
     * Creates the decision of a policy with one limit that admitted.
     *
     * @param chargedBy what takes the charge back; {@code null} if nothing was charged
     * @param policy the policy that decided
     * @param key the partition key
     * @param cost the permits asked for
     * @param atMicros the time of the decision on the backend's clock
     * @param remaining see {@link #remaining()}
     * @param resetAfterMicros see {@link #resetAfterMicros()}
     * @param delayMicros see {@link #delayMicros()}
     * @return the decision
     */
    public static Decision admitted(
            @Nullable Refunds chargedBy,
            Policy policy,
            String key,
            long cost,
            long atMicros,
            long remaining,
            long resetAfterMicros,
            long delayMicros) {
        return new SingleLimitDecision(
                chargedBy, policy, key, cost, atMicros, remaining, resetAfterMicros, delayMicros);
    }

    /**
     * Creates the decision of a policy with one limit that refused.
     *
     * @param policy the policy that decided
     * @param key the partition key
     * @param cost the permits asked for
     * @param atMicros the time of the decision on the backend's clock
     * @param remaining see {@link #remaining()}
     * @param resetAfterMicros see {@link #resetAfterMicros()}
     * @param retryAfterMicros see {@link #retryAfterMicros()}
     * @return the decision
     */
    public static Decision refused(
            Policy policy,
            String key,
            long cost,
            long atMicros,
            long remaining,
            long resetAfterMicros,
            long retryAfterMicros) {
        return new SingleLimitDecision(
                null,
                policy,
                key,
                cost,
                atMicros,
                remaining,
                resetAfterMicros,
                SingleLimitDecision.encodeRefusal(retryAfterMicros));
    }

    /**
     * Creates the decision of a policy from what each of its limits says.
     *
     * @param chargedBy what takes the charge back; {@code null} if nothing was charged
     * @param policy the policy that decided
     * @param key the partition key
     * @param cost the permits asked for
     * @param atMicros the time of the decision on the backend's clock
     * @param limits one status for each limit of the policy, in its order
     * @return the decision
     */
    public static Decision of(
            @Nullable Refunds chargedBy,
            Policy policy,
            String key,
            long cost,
            long atMicros,
            List<LimitStatus> limits) {
        return new SeveralLimitsDecision(chargedBy, policy, key, cost, atMicros, limits);
    }

    /**
     * Creates a decision behind which no count stands, because the store could not be reached.
     *
     * @param policy the policy that could not be asked
     * @param key the partition key
     * @param cost the permits asked for
     * @param allowed whether the request may run all the same
     * @return the decision
     */
    public static Decision uncounted(Policy policy, String key, long cost, boolean allowed) {
        return new UncountedDecision(policy, key, cost, allowed);
    }

    /** {@return the policy that decided} */
    public final Policy policy() {
        return policy;
    }

    /** {@return the partition key} */
    public final String key() {
        return key;
    }

    /** {@return the number of permits asked for} */
    public final long cost() {
        return cost;
    }

    /** {@return the time of the decision on the backend's clock, in microseconds since 1970-01-01T00:00:00Z} */
    public final long atMicros() {
        return atMicros;
    }

    /** {@return whether the request may run (after {@link #delayMicros()})} */
    public abstract boolean allowed();

    /** {@return whether limits were consulted; if not, the numbers mean nothing and no quota headers are sent} */
    public boolean counted() {
        return true;
    }

    /** {@return how many further requests of cost 1 would be admitted now: the least among the limits, never negative} */
    public abstract long remaining();

    /**
     * Returns how long to wait before the same request is admitted, if nobody else asks meanwhile.
     *
     * @return 0 if admitted; else the largest time among the limits that refused, or {@link #NEVER} if one of them
     *     never admits this cost
     */
    public abstract long retryAfterMicros();

    /**
     * Returns the time until {@link #remaining()} grows by one with no traffic.
     *
     * @return the time of the limit with least remaining (the longer one if several have it); 0 at its maximum
     */
    public abstract long resetAfterMicros();

    /** {@return how long an admitted request has to wait before it runs: the largest among the limits; else 0} */
    public abstract long delayMicros();

    /** {@return what each limit of the policy says, in the policy's order; empty if not {@link #counted()}} */
    public abstract List<LimitStatus> limits();

    /** What {@link #limits()} returns if the policy has one limit. */
    final List<LimitStatus> onlyLimit() {
        return List.of(new LimitStatus(
                policy.limits().get(0), allowed(), remaining(), retryAfterMicros(), resetAfterMicros(), delayMicros()));
    }

    /**
     * Gives back what was charged, once: further calls, and calls on decisions that charged nothing, change nothing.
     *
     * @return whether this call gave something back
     */
    public final boolean refund() {
        Refunds refunds = (Refunds) CHARGED_BY.getAndSet(this, null);
        if (refunds == null) {
            return false;
        }
        refunds.refund(this);
        return true;
    }

    /** Says what was decided, without the partition key, which may be a secret. */
    @Override
    public final String toString() {
        String outcome = allowed() ? "allowed" : "refused";
        return "Decision[policy=%s, %s, cost=%d, remaining=%d, retryAfter=%dus, resetAfter=%dus, delay=%dus]"
                .formatted(
                        policy.name(),
                        outcome,
                        cost,
                        remaining(),
                        retryAfterMicros(),
                        resetAfterMicros(),
                        delayMicros());
    }
}
