package io.ratelimit.core;

import org.jspecify.annotations.Nullable;

/** A {@link FixedWindow} in one word: the number of the window since 1970, and behind it the permits taken in it. */
final class PackedWindow extends Packing {

    private final long window;

    private final int countBits;

    private PackedWindow(long limit, long window, int countBits) {
        super(limit);
        this.window = window;
        this.countBits = countBits;
    }

    static @Nullable PackedWindow of(Limit limit) {
        long window = limit.windowMicros();
        int countBits = bits(limit.limit());
        boolean fits = bits((1L << TIME_BITS) / window) + countBits <= WORD_BITS;
        return limit.limit() > 0 && fits ? new PackedWindow(limit.limit(), window, countBits) : null;
    }

    @Override
    long charged(long word, long now, long permits) {
        boolean same = isCurrent(word, now);
        long taken = same ? count(word) : 0;
        if (permits > capacity() - taken) {
            return REFUSED;
        }
        return (same ? word : now / window << countBits) + permits;
    }

    @Override
    long left(long word, long now) {
        return capacity() - (isCurrent(word, now) ? count(word) : 0);
    }

    @Override
    long ticksUntil(long word, long now, long permits) {
        return start(word) + window - now;
    }

    @Override
    long refunded(long word, long now, long permits, long at) {
        boolean counts = isCurrent(word, now) && at >= start(word);
        return counts ? word - Math.min(permits, count(word)) : word;
    }

    @Override
    LimitState unpacked(long word, Limit limit, long now) {
        return LimitState.restored(limit, start(word), count(word), 0);
    }

    private boolean isCurrent(long word, long now) {
        return now - start(word) < window;
    }

    private long start(long word) {
        return (word >> countBits) * window;
    }

    private long count(long word) {
        return word & ((1L << countBits) - 1);
    }
}
