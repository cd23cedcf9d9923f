package io.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * A {@link TokenBucket}, or a {@link LeakyBucket} that lets nobody wait, in one word.
 *
 * <p>Let the limit pay back {@code r} units each microsecond, and a permit be {@code p} units; both are whole numbers, with
 * the common divisor of limit and window taken out. If {@code debt} is owed at time {@code t}, the word is {@code t·r + debt}.
 * As time passes, the word stays: at {@code now} it says {@code debt = word − now·r}, and nothing is owed once that is
 * negative. (Divided by {@code r} it is what ATM networks call the theoretical arrival time, without its rounding.)
 */
final class PackedDebt extends Packing {

    /** Units that flow back each microsecond. */
    private final long rate;

    /** Units of a permit. */
    private final long permit;

    /** How many 1/W of a permit a unit is. */
    private final long unit;

    /** Units of all permits. */
    private final long full;

    private PackedDebt(long capacity, long rate, long permit, long unit) {
        super(capacity);
        this.rate = rate;
        this.permit = permit;
        this.unit = unit;
        this.full = capacity * permit;
    }

    /** Time and debt in one sum of units have to fit however late it is and however much is owed. */
    static @Nullable PackedDebt of(Limit limit, long capacity) {
        if (limit.limit() == 0 || capacity == 0) {
            return null;
        }
        long unit = greatestCommonDivisor(limit.limit(), limit.windowMicros());
        long rate = limit.limit() / unit;
        long permit = limit.windowMicros() / unit;
        boolean timeFits = rate < 1L << (WORD_BITS - 1 - TIME_BITS);
        boolean debtFits = capacity < (1L << (WORD_BITS - 1)) / permit;
        return timeFits && debtFits ? new PackedDebt(capacity, rate, permit, unit) : null;
    }

    @Override
    long charged(long word, long now, long permits) {
        if (permits > capacity()) {
            return REFUSED;
        }
        long after = Math.max(word, now * rate) + permits * permit;
        return after - now * rate <= full ? after : REFUSED;
    }

    @Override
    long left(long word, long now) {
        return (full - owed(word, now)) / permit;
    }

    @Override
    long ticksUntil(long word, long now, long permits) {
        long missing = permits * permit - (full - owed(word, now));
        return (missing + rate - 1) / rate;
    }

    /** What was charged less what flowed back since; if that is more than is owed, the word falls behind {@code now·r}. */
    @Override
    long refunded(long word, long now, long permits, long at) {
        long unpaid = permits * permit - (now - at) * rate;
        return unpaid > 0 ? Math.max(0, word - unpaid) : word;
    }

    @Override
    boolean idle(long word, long now) {
        return owed(word, now) == 0;
    }

    @Override
    LimitState unpacked(long word, Limit limit, long now) {
        long debt = owed(word, now);
        return LimitState.restored(limit, debt / permit, debt % permit * unit, now);
    }

    private long owed(long word, long now) {
        return Math.max(0, word - now * rate);
    }

    private static long greatestCommonDivisor(long a, long b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
