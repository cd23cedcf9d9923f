package io.ratelimit.core;

import org.jspecify.annotations.Nullable;

/**
 * A {@link SlidingCounter} in one word: the number of the current window since 1970, the permits taken in the window before,
 * and those taken in it.
 */
final class PackedCounter extends PackedCounts {

    private PackedCounter(Limit limit) {
        super(limit, 2);
    }

    static @Nullable PackedCounter of(Limit limit) {
        return fit(limit, 2) ? new PackedCounter(limit) : null;
    }

    @Override
    long charged(long word, long now, long permits) {
        if (permits > left(word, now)) {
            return REFUSED;
        }
        long passed = now - start(word);
        if (passed < window) {
            return word + permits;
        }
        long previous = passed < 2 * window ? current(word) : 0;
        return (now / window << countBits | previous) << countBits | permits;
    }

    @Override
    long left(long word, long now) {
        return SlidingCounter.available(capacity(), window, previous(word), current(word), now - start(word));
    }

    @Override
    long ticksUntil(long word, long now, long permits) {
        long room = capacity() - permits;
        return SlidingCounter.ticksUntil(room, window, previous(word), current(word), now - start(word));
    }

    /** For one window longer, the permits of a window still count as those of the window before. */
    @Override
    long refunded(long word, long now, long permits, long at) {
        long start = start(word);
        if (at >= start && at < start + window && now < start + 2 * window) {
            return word - Math.min(permits, current(word));
        }
        if (at >= start - window && at < start && now < start + window) {
            return word - (Math.min(permits, previous(word)) << countBits);
        }
        return word;
    }

    @Override
    LimitState unpacked(long word, Limit limit, long now) {
        return LimitState.restored(limit, start(word), previous(word), current(word));
    }

    private long previous(long word) {
        return current(word >> countBits);
    }
}
