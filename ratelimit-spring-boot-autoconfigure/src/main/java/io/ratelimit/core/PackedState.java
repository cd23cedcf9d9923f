package io.ratelimit.core;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The state of one limit in the one word that every state has, so that a decision is a single compare-and-set: nothing is
 * claimed, and nobody waits. It decides exactly as the state that it stands for, {@link TokenBucket} and the others; how, the
 * {@link Packing} of the limit knows.
 *
 * <p>Only where three things hold. The clock never runs backwards ({@link #allowedBy}): time is read after the word, so it is
 * never behind what the word says, and no time has to be remembered for a clock that stepped back. The numbers of the limit
 * are small enough, which those of practice are. And the limit stays the same, because the word can only be read with it; when
 * it changes, the state is carried over into one that does not depend on it.
 *
 * <p>Whoever does more than decide on this key alone claims the state like any other; meanwhile nothing is decided here.
 */
public final class PackedState extends LimitState {

    private PackedState(Policy policy) {
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
        return policy.packing() == null ? null : new PackedState(policy);
    }

    @Override
    public @Nullable Decision decideAtOnce(
            Refunds chargedBy, Policy policy, String key, long cost, TimeSource timeSource) {
        Policy last = lastPolicy();
        if (last != policy) {
            if (!fits(last, policy)) {
                return null;
            }
            lastPolicy(policy);
        }
        Packing packing = packing();
        for (int lost = 0; ; lost++) {
            long before = unclaimed();
            if (before < 0) {
                return null;
            }
            long now = timeSource.micros();
            long after = packing.charged(before, now, cost);
            if (after == Packing.REFUSED) {
                return PackedDecision.refused(policy, key, cost, now, before);
            }
            if (cost == 0) {
                return PackedDecision.admitted(null, policy, key, 0, now, before);
            }
            if (replace(before, after)) {
                return PackedDecision.admitted(chargedBy, policy, key, cost, now, after);
            }
            backOff(lost);
        }
    }

    private Packing packing() {
        return Objects.requireNonNull(lastPolicy().packing());
    }

    @Override
    public boolean packed() {
        return true;
    }

    @Override
    public BucketState unpacked(long now) {
        return packing().unpacked(noted(), lastPolicy().limits().get(0), now);
    }

    @Override
    public LimitState copy() {
        PackedState copy = new PackedState(lastPolicy());
        copy.note(noted());
        return copy;
    }

    @Override
    public long capacity(Limit limit) {
        return packing().capacity();
    }

    @Override
    public boolean idle(Limit limit, long now) {
        return packing().idle(noted(), now);
    }

    @Override
    long available(Limit limit, long time) {
        return packing().left(noted(), time);
    }

    @Override
    long ticksUntil(Limit limit, long time, long permits) {
        boolean room = permits <= packing().left(noted(), time);
        return room ? 0 : packing().ticksUntil(noted(), time, permits);
    }

    @Override
    void add(Limit limit, long time, long permits) {
        note(packing().charged(noted(), time, permits));
    }

    /** All that was charged here was charged under this limit; what was under another has been forgotten with another state. */
    @Override
    void giveBack(long time, long permits, long at, LimitStatus then) {
        if (then.limit().equals(lastPolicy().limits().get(0))) {
            note(packing().refunded(noted(), time, permits, at));
        }
    }

    /** Nothing remembered lies ahead of a clock that never runs backwards. */
    @Override
    long latest() {
        return 0;
    }

    @Override
    void restore(long first, long second, long third) {
        throw new UnsupportedOperationException("a packed state is never kept elsewhere");
    }
}
