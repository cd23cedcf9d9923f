package io.ratelimit.core;

/**
 * What is counted by windows of the clock, in one word: the number of the current window since 1970, and behind it the permits
 * taken in windows, last those taken in the current one.
 */
abstract sealed class PackedCounts extends Packing permits PackedWindow, PackedCounter {

    final long window;

    final int countBits;

    private final int numberFrom;

    PackedCounts(Limit limit, int counts) {
        super(limit.limit());
        this.window = limit.windowMicros();
        this.countBits = bits(limit.limit());
        this.numberFrom = counts * countBits;
    }

    /** Whether a word has room for the number of a window and so many counts. */
    static boolean fit(Limit limit, int counts) {
        int numberBits = bits((1L << TIME_BITS) / limit.windowMicros());
        return limit.limit() > 0 && numberBits + counts * bits(limit.limit()) <= WORD_BITS;
    }

    final long start(long word) {
        return (word >> numberFrom) * window;
    }

    final long current(long word) {
        return word & ((1L << countBits) - 1);
    }
}
