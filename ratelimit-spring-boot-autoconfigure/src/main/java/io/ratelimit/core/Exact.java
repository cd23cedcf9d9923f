package io.ratelimit.core;

/**
 * Division of products that may leave 63 bits. All arguments are non-negative; divisors are below 2<sup>47</sup>, which
 * holds for every limit and window.
 */
final class Exact {

    /** The largest result; stands for everything above, some 146,000 years. */
    static final long CAP = 1L << 62;

    private static final int DIGIT_BITS = 16;

    private static final long DIGIT_MASK = (1L << DIGIT_BITS) - 1;

    private Exact() {}

    /**
     * Returns {@code a·b / divisor}, rounded down.
     *
     * @param a first factor
     * @param b second factor
     * @param divisor positive
     * @return the quotient, at most {@link #CAP}
     */
    static long floor(long a, long b, long divisor) {
        return floor(a, b, 0, divisor);
    }

    /**
     * Returns {@code (a·b + c) / divisor}, rounded up.
     *
     * @param a first factor
     * @param b second factor
     * @param c summand, below 2<sup>62</sup>
     * @param divisor positive
     * @return the quotient, at most {@link #CAP}
     */
    static long ceil(long a, long b, long c, long divisor) {
        return floor(a, b, c + divisor - 1, divisor);
    }

    private static long floor(long a, long b, long c, long divisor) {
        long high = Math.multiplyHigh(a, b);
        long low = a * b;
        long sum = low + c;
        if (high == 0 && low >= 0 && sum >= 0) {
            return sum < divisor ? 0 : Math.min(CAP, sum / divisor);
        }
        long carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        return divideTwoWords(high + carry, sum, divisor);
    }

    /** Long division by hand: four digits of 16 bits, each remainder small enough to take the next digit in. */
    private static long divideTwoWords(long high, long low, long divisor) {
        if (high >= divisor) {
            return CAP;
        }
        long quotient = 0;
        long remainder = high;
        for (int shift = Long.SIZE - DIGIT_BITS; shift >= 0; shift -= DIGIT_BITS) {
            long digits = (remainder << DIGIT_BITS) | ((low >>> shift) & DIGIT_MASK);
            quotient = (quotient << DIGIT_BITS) | (digits / divisor);
            remainder = digits % divisor;
        }
        return quotient < 0 ? CAP : Math.min(CAP, quotient);
    }
}
