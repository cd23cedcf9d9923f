package io.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * How the state of a limit is read from one word and written into it: the numbers of the limit that this takes, and the rules of
 * its algorithm in terms of the word. Made once for each policy. Times never lie behind what the word says.
 */
abstract sealed class Packing permits PackedDebt, PackedCounts {

    /** Stands for the word of a request that is refused. */
    static final long REFUSED = -1;

    /** Bits of what a word holds: two are marks, and one is the sign. */
    static final int WORD_BITS = 61;

    /** Until the year 2112, microseconds since 1970 have so many bits. */
    static final int TIME_BITS = 52;

    private final long capacity;

    Packing(long capacity) {
        this.capacity = capacity;
    }

    /** {@return how to pack states of the limit; {@code null} if they do not fit into a word} */
    static @Nullable Packing of(Limit limit) {
        return switch (limit.algorithm()) {
            case TOKEN_BUCKET -> PackedDebt.of(limit, limit.burst());
            case LEAKY_BUCKET -> limit.nodelay() ? PackedDebt.of(limit, limit.burst() + 1) : null;
            case FIXED_WINDOW -> PackedWindow.of(limit);
            case SLIDING_COUNTER -> PackedCounter.of(limit);
            case SLIDING_LOG -> null;
        };
    }

    /** The most permits that could ever be taken at once. */
    final long capacity() {
        return capacity;
    }

    /** The word after a charge; {@link #REFUSED} if the permits are not there. */
    abstract long charged(long word, long now, long permits);

    /** The word after permits are given back that were charged at an earlier (or the same) time. */
    abstract long refunded(long word, long now, long permits, long at);

    /** Permits that could be taken. */
    abstract long left(long word, long now);

    /** How long until so many permits, more than are left and at most the capacity, could be taken. */
    abstract long ticksUntil(long word, long now, long permits);

    /** Whether the word decides like that of a key that was never seen. */
    boolean idle(long word, long now) {
        return left(word, now) == capacity;
    }

    /** The state that a word stands for, in numbers that do not depend on the limit. */
    abstract LimitState unpacked(long word, Limit limit, long now);

    /** Bits of a number up to the largest. */
    static int bits(long largest) {
        return Long.SIZE - Long.numberOfLeadingZeros(largest);
    }
}
