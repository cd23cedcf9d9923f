package io.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * The numbers with which a limit's state is read from one word: see {@link PackedDebt}, {@link PackedWindow} and {@link
 * PackedCounter}. Computed once for each policy.
 *
 * @param capacity the most permits at once
 * @param window length of the window in microseconds
 * @param rate for buckets: units that flow back each microsecond
 * @param permit for buckets: units of a permit
 * @param unit for buckets: how many 1/W of a permit a unit is
 * @param countBits for windows: bits of a count
 */
record Packing(long capacity, long window, long rate, long permit, long unit, int countBits) {

    /** Bits of what a word holds: two are marks, and one is the sign. */
    private static final int WORD_BITS = 61;

    /** Until the year 2112, microseconds since 1970 have so many bits. */
    private static final int TIME_BITS = 52;

    /** {@return how to pack states of the limit; {@code null} if they do not fit into a word} */
    static @Nullable Packing of(Limit limit) {
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET -> ofDebt(limit, limit.burst());
            case LEAKY_BUCKET -> limit.nodelay() ? ofDebt(limit, limit.burst() + 1) : null;
            case FIXED_WINDOW -> ofCounts(limit, 1);
            case SLIDING_COUNTER -> ofCounts(limit, 2);
            case SLIDING_LOG -> null;
        };
    }

    /** Time and debt in one sum of units, which has to fit however late it is and however much is owed. */
    private static @Nullable Packing ofDebt(Limit limit, long capacity) {
        if (limit.limit() == 0 || capacity == 0) {
            return null;
        }
        long window = limit.windowMicros();
        long unit = greatestCommonDivisor(limit.limit(), window);
        long rate = limit.limit() / unit;
        long permit = window / unit;
        boolean timeFits = rate < 1L << (WORD_BITS - 1 - TIME_BITS);
        boolean debtFits = capacity < (1L << (WORD_BITS - 1)) / permit;
        return timeFits && debtFits ? new Packing(capacity, window, rate, permit, unit, 0) : null;
    }

    /** The number of the window, and behind it the counts. */
    private static @Nullable Packing ofCounts(Limit limit, int counts) {
        long window = limit.windowMicros();
        int numberBits = bits((1L << TIME_BITS) / window);
        int countBits = bits(limit.limit());
        return limit.limit() > 0 && numberBits + counts * countBits <= WORD_BITS
                ? new Packing(limit.limit(), window, 0, 0, 0, countBits)
                : null;
    }

    private static int bits(long largest) {
        return Long.SIZE - Long.numberOfLeadingZeros(largest);
    }

    private static long greatestCommonDivisor(long a, long b) {
        return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
}
