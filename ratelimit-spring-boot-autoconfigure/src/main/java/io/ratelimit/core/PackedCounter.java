package io.ratelimit.core;

/**
 * A {@link SlidingCounter} in one word: the number of the current window since 1970, the permits taken in the window before,
 * and those taken in it.
 */
final class PackedCounter extends PackedState {

    PackedCounter(Policy policy) {
        super(policy);
    }

    @Override
    long charged(Packing packing, long word, long now, long permits) {
        if (permits > left(packing, word, now)) {
            return REFUSED;
        }
        long passed = now - start(packing, word);
        if (passed < packing.window()) {
            return word + permits;
        }
        long previous = passed < 2 * packing.window() ? current(packing, word) : 0;
        return (now / packing.window() << packing.countBits() | previous) << packing.countBits() | permits;
    }

    @Override
    long left(Packing packing, long word, long now) {
        long window = packing.window();
        long passed = now - start(packing, word);
        if (passed >= 2 * window) {
            return packing.capacity();
        }
        return passed < window
                ? packing.capacity()
                        - current(packing, word)
                        - Exact.ceil(previous(packing, word), window - passed, 0, window)
                : packing.capacity() - Exact.ceil(current(packing, word), 2 * window - passed, 0, window);
    }

    @Override
    long ticksUntil(Packing packing, long word, long now, long permits) {
        if (permits <= left(packing, word, now)) {
            return 0;
        }
        long window = packing.window();
        long passed = now - start(packing, word);
        long current = current(packing, word);
        long room = packing.capacity() - permits;
        return passed < window && current <= room
                ? window - Exact.floor(room - current, window, previous(packing, word)) - passed
                : 2 * window - Exact.floor(room, window, current) - passed;
    }

    /** For one window longer, the permits of a window still count as those of the window before. */
    @Override
    long refunded(Packing packing, long word, long now, long permits, long at) {
        long window = packing.window();
        long start = start(packing, word);
        if (at >= start && at < start + window && now < start + 2 * window) {
            return word - Math.min(permits, current(packing, word));
        }
        if (at >= start - window && at < start && now < start + window) {
            return word - (Math.min(permits, previous(packing, word)) << packing.countBits());
        }
        return word;
    }

    @Override
    public boolean idle(Limit limit, long now) {
        return left(packing(), noted(), now) == packing().capacity();
    }

    @Override
    LimitState unpacked(Packing packing, long word, Limit limit, long now) {
        return LimitState.restored(limit, start(packing, word), previous(packing, word), current(packing, word));
    }

    private static long start(Packing packing, long word) {
        return (word >> 2 * packing.countBits()) * packing.window();
    }

    private static long previous(Packing packing, long word) {
        return word >> packing.countBits() & mask(packing);
    }

    private static long current(Packing packing, long word) {
        return word & mask(packing);
    }

    private static long mask(Packing packing) {
        return (1L << packing.countBits()) - 1;
    }
}
