package io.ratelimit.core;

/**
 * A {@link TokenBucket}, or a {@link LeakyBucket} that lets nobody wait, in one word.
 *
 * <p>Let the limit pay back {@code r} units each microsecond, and a permit be {@code p} units; both are whole numbers, with
 * the common divisor of limit and window taken out. If {@code debt} is owed at time {@code t}, the word is {@code t·r + debt}.
 * As time passes, the word stays: at {@code now} it says {@code debt = word − now·r}, and nothing is owed once that is
 * negative. (Divided by {@code r} it is what ATM networks call the theoretical arrival time, without its rounding.)
 */
final class PackedDebt extends PackedState {

    PackedDebt(Policy policy) {
        super(policy);
    }

    @Override
    long charged(Packing packing, long word, long now, long permits) {
        if (permits > packing.capacity()) {
            return REFUSED;
        }
        long nothingOwed = now * packing.rate();
        long after = Math.max(word, nothingOwed) + permits * packing.permit();
        return after - nothingOwed <= packing.capacity() * packing.permit() ? after : REFUSED;
    }

    @Override
    long left(Packing packing, long word, long now) {
        return unowed(packing, word, now) / packing.permit();
    }

    @Override
    long ticksUntil(Packing packing, long word, long now, long permits) {
        long missing = permits * packing.permit() - unowed(packing, word, now);
        return (missing + packing.rate() - 1) / packing.rate();
    }

    @Override
    long recovery(Packing packing, long word, long now, long left) {
        return (unowed(packing, word, now) - (left + 1) * packing.permit()) * packing.unit();
    }

    /** What was charged less what flowed back since; if that is more than is owed, the word falls behind {@code now·r}. */
    @Override
    long refunded(Packing packing, long word, long now, long permits, long at) {
        long unpaid = permits * packing.permit() - (now - at) * packing.rate();
        return unpaid > 0 ? Math.max(0, word - unpaid) : word;
    }

    @Override
    public boolean idle(Limit limit, long now) {
        return noted() <= now * packing().rate();
    }

    @Override
    LimitState unpacked(Packing packing, long word, Limit limit, long now) {
        long debt = Math.max(0, word - now * packing.rate());
        return LimitState.restored(limit, debt / packing.permit(), debt % packing.permit() * packing.unit(), now);
    }

    private static long unowed(Packing packing, long word, long now) {
        return packing.capacity() * packing.permit() - Math.max(0, word - now * packing.rate());
    }
}
