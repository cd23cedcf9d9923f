package io.ratelimit.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of one limit in the one word that every state has, so that a decision is a single compare-and-set: nothing is
 * claimed, and nobody waits. It decides exactly as the state that it stands for, {@link TokenBucket} and the others.
 *
 * <p>Only where three things hold. The clock never runs backwards ({@link #allowedBy}): time is read after the word, so it is
 * never behind what the word says, and no time has to be remembered for a clock that stepped back. The numbers of the limit
 * are small enough ({@link Packing}), which those of practice are. And the limit stays the same, because the word can only be
 * read with it; when it changes, the state is carried over into one that does not depend on it.
 *
 * <p>Whoever does more than decide on this key alone claims the state like any other; meanwhile nothing is decided here.
 */
public abstract sealed class PackedState extends LimitState permits PackedDebt, PackedWindow, PackedCounter {

    /** Stands for the word of a request that is refused. */
    static final long REFUSED = -1;

    PackedState(Policy policy) {
        super(policy);
    }

    /**
     * Tells whether states may be packed under a clock.
     *
     * @param timeSource the clock
     * @return whether it is known never to run backwards
     */
    public static boolean allowedBy(TimeSource timeSource) {
        return timeSource instanceof MonotonicTimeSource;
    }

    /** Creates a packed state; {@code null} if the policy has several limits, or one that cannot be packed. */
    static @Nullable PackedState of(Policy policy) {
        if (policy.packing() == null) {
            return null;
        }
        return switch (policy.limits().get(0).algorithm()) {
            case TOKEN_BUCKET, LEAKY_BUCKET -> new PackedDebt(policy);
            case FIXED_WINDOW -> new PackedWindow(policy);
            case SLIDING_COUNTER -> new PackedCounter(policy);
            case SLIDING_LOG -> null;
        };
    }

    @Override
    public final @Nullable Decision decideAtOnce(
            Refunds chargedBy, Policy policy, String key, long cost, TimeSource timeSource) {
        if (!fits(lastPolicy(), policy)) {
            return null;
        }
        Packing packing = packing();
        while (true) {
            long before = unclaimed();
            if (before < 0) {
                return null;
            }
            long now = timeSource.micros();
            long after = charged(packing, before, now, cost);
            if (after == REFUSED) {
                long retryAfter = cost > packing.capacity() ? Decision.NEVER : ticksUntil(packing, before, now, cost);
                long refusal = SingleLimitDecision.encodeRefusal(retryAfter);
                return decision(null, policy, key, cost, now, packing, before, refusal);
            }
            if (cost == 0) {
                return decision(null, policy, key, 0, now, packing, before, 0);
            }
            if (replace(before, after)) {
                return decision(chargedBy, policy, key, cost, now, packing, after, 0);
            }
            Thread.onSpinWait();
        }
    }

    private Decision decision(
            @Nullable Refunds chargedBy,
            Policy policy,
            String key,
            long cost,
            long now,
            Packing packing,
            long word,
            long delayOrRefusal) {
        long left = left(packing, word, now);
        long recovery = left == packing.capacity() ? 0 : recovery(packing, word, now, left);
        return new SingleLimitDecision(chargedBy, policy, key, cost, now, left, recovery, delayOrRefusal);
    }

    /** The word after a charge at a time; {@link #REFUSED} if the permits are not there. */
    abstract long charged(Packing packing, long word, long now, long permits);

    /** Permits that could be taken. */
    abstract long left(Packing packing, long word, long now);

    /** The word after permits are given back that were charged here at an earlier (or the same) time. */
    abstract long refunded(Packing packing, long word, long now, long permits, long at);

    /** When so many permits, at most the capacity, could be taken. */
    abstract long ticksUntil(Packing packing, long word, long now, long permits);

    /** As {@link LimitState#recovery} for fewer permits than the capacity. */
    long recovery(Packing packing, long word, long now, long left) {
        return ticksUntil(packing, word, now, left + 1);
    }

    /** The state that this one stands for, in numbers that do not depend on the limit. */
    abstract LimitState unpacked(Packing packing, long word, Limit limit, long now);

    final Packing packing() {
        return Objects.requireNonNull(lastPolicy().packing());
    }

    @Override
    public final boolean packed() {
        return true;
    }

    @Override
    public final BucketState unpacked(long now) {
        return unpacked(packing(), noted(), lastPolicy().limits().get(0), now);
    }

    @Override
    public final LimitState copy() {
        PackedState copy = Objects.requireNonNull(of(lastPolicy()));
        copy.note(noted());
        return copy;
    }

    @Override
    public final long capacity(Limit limit) {
        return packing().capacity();
    }

    @Override
    final long available(Limit limit, long time) {
        return left(packing(), noted(), time);
    }

    @Override
    final long ticksUntil(Limit limit, long time, long permits) {
        return Math.max(0, ticksUntil(packing(), noted(), time, permits));
    }

    @Override
    final void add(Limit limit, long time, long permits) {
        note(charged(packing(), noted(), time, permits));
    }

    /** All that was charged here was charged under this limit; what was under another has been forgotten with another state. */
    @Override
    final void giveBack(long time, long permits, long at, LimitStatus then) {
        if (then.limit().equals(lastPolicy().limits().get(0))) {
            note(refunded(packing(), noted(), time, permits, at));
        }
    }

    /** Nothing remembered lies ahead of a clock that never runs backwards. */
    @Override
    final long latest() {
        return 0;
    }

    @Override
    final void restore(long first, long second, long third) {
        throw new UnsupportedOperationException("a packed state is never kept elsewhere");
    }
}
