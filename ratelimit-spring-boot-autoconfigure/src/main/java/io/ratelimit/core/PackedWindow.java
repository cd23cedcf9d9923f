package io.ratelimit.core;

import org.jspecify.annotations.Nullable;

/** A {@link FixedWindow} in one word: the number of the window since 1970, and behind it the permits taken in it. */
final class PackedWindow extends PackedCounts {

    private PackedWindow(Limit limit) {
        super(limit, 1);
    }

    static @Nullable PackedWindow of(Limit limit) {
        return fit(limit, 1) ? new PackedWindow(limit) : null;
    }

    @Override
    long charged(long word, long now, long permits) {
        boolean same = isCurrent(word, now);
        long taken = same ? current(word) : 0;
        if (permits > capacity() - taken) {
            return REFUSED;
        }
        return (same ? word : now / window << countBits) + permits;
    }

    @Override
    long left(long word, long now) {
        return capacity() - (isCurrent(word, now) ? current(word) : 0);
    }

    @Override
    long ticksUntil(long word, long now, long permits) {
        return start(word) + window - now;
    }

    @Override
    long refunded(long word, long now, long permits, long at) {
        boolean counts = isCurrent(word, now) && at >= start(word);
        return counts ? word - Math.min(permits, current(word)) : word;
    }

    @Override
    LimitState unpacked(long word, Limit limit, long now) {
        return LimitState.restored(limit, start(word), current(word), 0);
    }

    private boolean isCurrent(long word, long now) {
        return now - start(word) < window;
    }
}
