package io.ratelimit.core;

/**
 * What one limit remembers of one key, and how it decides.
 *
 * <p>The five algorithms differ in a single question: how many permits could be taken now? Everything else follows.
 * A request of cost {@code c} is admitted exactly when {@code c <= remaining}; it then charges {@code c}, and
 * {@code remaining} falls by {@code c}. A refused one is told the first moment at which {@code remaining} will have
 * grown to {@code c}, and every answer tells when it will have grown by one. So each subclass says only how its permits
 * come back.
 *
 * <p>All numbers are integers, all times microseconds; nothing is rounded but towards refusal. Asking changes nothing:
 * only {@link #charge} and {@link #refund} write. The {@link Limit} comes with each call and is no part of the state, so
 * that a limit may change between two calls while what was used stays used.
 *
 * <p><b>If the clock stepped back</b>, a remembered time lies ahead of now. Up to one window ahead (for the {@link
 * SlidingCounter} less), time stands still for this state until the clock has caught up; further ahead, the state counts
 * as fresh. So a step admits at most one extra limit, and a request of cost 1 that waits for two windows (and, for the
 * {@link SlidingLog}, the tick by which its window is closed) is admitted.
 *
 * <p>Not safe for use by several threads: see {@link BucketState}.
 */
public abstract sealed class LimitState extends BucketState
        permits FixedWindow, SlidingLog, SlidingCounter, PermitDebt, PackedState {

    LimitState() {}

    LimitState(Policy policy) {
        super(policy);
    }

    /**
     * Creates the state of a key that was never seen.
     *
     * @param limit the limit that will count
     * @return a state claimed by the caller
     */
    public static LimitState fresh(Limit limit) {
        return switch (limit.algorithm()) {
            case FIXED_WINDOW -> new FixedWindow();
            case SLIDING_LOG -> new SlidingLog();
            case SLIDING_COUNTER -> new SlidingCounter();
            case TOKEN_BUCKET -> new TokenBucket();
            case LEAKY_BUCKET -> new LeakyBucket();
        };
    }

    /**
     * Creates the state that another store kept as three numbers: what {@link FixedWindow} calls start and count, {@link
     * SlidingCounter} start, previous and current, the buckets whole permits owed, units owed and their time.
     *
     * @param limit the limit that counted; no sliding log, whose state is no three numbers
     * @param first the first number
     * @param second the second number
     * @param third the third number; ignored where there are two
     * @return a state claimed by the caller
     */
    public static LimitState restored(Limit limit, long first, long second, long third) {
        LimitState state = fresh(limit);
        state.restore(first, second, third);
        return state;
    }

    /**
     * Returns the time that counts for this state: now, or the time it remembers if the clock stepped back behind it by no
     * more than {@link #standstill}.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @return the time of a decision taken now
     */
    public final long time(Limit limit, long now) {
        long remembered = latest();
        return remembered > now && remembered - now <= standstill(limit) ? remembered : now;
    }

    /**
     * Returns how many permits could be taken now.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @return permits, never negative
     */
    public final long remaining(Limit limit, long now) {
        return Math.max(0, available(limit, time(limit, now)));
    }

    /**
     * Returns when so many permits could be taken, if nobody takes any meanwhile.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @param permits how many, at least 1
     * @return the smallest number of microseconds to wait; {@link Decision#NEVER} if the limit never grants so many
     */
    public final long retryAfter(Limit limit, long now, long permits) {
        if (permits > capacity(limit)) {
            return Decision.NEVER;
        }
        long time = time(limit, now);
        long wait = ticksUntil(limit, time, permits);
        return wait <= 0 ? 0 : wait + (time - now);
    }

    /**
     * Returns when there will be one permit more, if nobody takes any meanwhile.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @param remaining what {@link #remaining} is now
     * @return microseconds to wait; 0 if there cannot be more
     */
    public final long resetAfter(Limit limit, long now, long remaining) {
        return Math.max(0, retryAfter(limit, now, remaining + 1));
    }

    /**
     * Returns when there will be one permit more, if nobody takes any meanwhile.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @return microseconds to wait; 0 if there cannot be more
     */
    public final long resetAfter(Limit limit, long now) {
        return resetAfter(limit, now, remaining(limit, now));
    }

    /**
     * Decides on a policy with this limit alone: charges the permits if they remain. The decision is all that is made.
     *
     * @param chargedBy what takes back what is charged here
     * @param policy the policy, with one limit
     * @param key the partition key
     * @param cost how many permits, at least 0
     * @param now the time on the clock
     * @return admitted or refused
     */
    public final Decision decide(Refunds chargedBy, Policy policy, String key, long cost, long now) {
        Limit limit = policy.limits().get(0);
        long time = time(limit, now);
        long free = Math.max(0, available(limit, time));
        if (cost > free) {
            long refusal = SingleLimitDecision.encodeRefusal(retryAfter(limit, now, cost));
            return new SingleLimitDecision(
                    null, policy, key, cost, time, free, recovery(limit, time, now, free), refusal);
        }
        if (cost == 0) {
            return new SingleLimitDecision(null, policy, key, 0, time, free, recovery(limit, time, now, free), 0);
        }
        long delay = queueing(limit, time, cost);
        add(limit, time, cost);
        long left = free - cost;
        return new SingleLimitDecision(
                chargedBy, policy, key, cost, time, left, recovery(limit, time, now, left), delay);
    }

    private long recovery(Limit limit, long time, long now, long remaining) {
        return time == now ? recovery(limit, time, remaining) : resetAfter(limit, now, remaining);
    }

    /**
     * Returns how long a request has to wait in the queue. To be asked before it is charged.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @param permits cost of the request, at least 1
     * @return microseconds; always 0 but for the leaky bucket
     */
    public final long delay(Limit limit, long now, long permits) {
        return queueing(limit, time(limit, now), permits);
    }

    /**
     * Takes permits. The caller has asked whether they {@link #remaining remain}.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @param permits how many, at least 1
     */
    public final void charge(Limit limit, long now, long permits) {
        add(limit, time(limit, now), permits);
    }

    /**
     * Gives back what an earlier decision took, as far as it has not come back by itself at the rate of that decision. What
     * counts like a fresh state because the clock stepped back stays as it is.
     *
     * @param now the time on the clock
     * @param permits how many were taken
     * @param at the time of that decision, as {@link #time} returned it
     * @param then what the limit of that decision said, whose number of permits may have been another one
     */
    public final void refund(long now, long permits, long at, LimitStatus then) {
        long time = time(then.limit(), now);
        if (time >= at) {
            giveBack(time, permits, at, then);
        }
    }

    /**
     * Tells whether this state decides like a fresh one from now on, so that it may be forgotten.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @return whether nothing counts any more
     */
    public abstract boolean idle(Limit limit, long now);

    /**
     * Returns the most permits that could ever be taken at once.
     *
     * @param limit the limit
     * @return permits; 0 if the limit is 0
     */
    public abstract long capacity(Limit limit);

    @Override
    public abstract LimitState copy();

    @Override
    public final int parts() {
        return 1;
    }

    @Override
    public final LimitState part(int position) {
        return this;
    }

    /** Takes over numbers kept elsewhere. */
    abstract void restore(long first, long second, long third);

    /** The latest time remembered; anything not after now if there is none. */
    abstract long latest();

    /** How far ahead of now the latest time may lie for the state to count still. */
    long standstill(Limit limit) {
        return limit.windowMicros();
    }

    /** Permits that could be taken at a time; may be negative after the limit was lowered. */
    abstract long available(Limit limit, long time);

    /** The first moment, counted from the time, at which so many permits are available; the capacity allows them. */
    abstract long ticksUntil(Limit limit, long time, long permits);

    /**
     * What has to flow back until one permit more remains than the given number: ticks if positive, 0 if nothing can; if
     * negative, units of 1/W permit, of which each tick brings back {@code L}.
     */
    long recovery(Limit limit, long time, long remaining) {
        return remaining >= capacity(limit) ? 0 : ticksUntil(limit, time, remaining + 1);
    }

    /** Takes permits at a time. */
    abstract void add(Limit limit, long time, long permits);

    /** Gives permits back that were taken at an earlier (or the same) time. */
    abstract void giveBack(long time, long permits, long at, LimitStatus then);

    /** See {@link #delay}. */
    long queueing(Limit limit, long time, long permits) {
        return 0;
    }
}
