package io.ratelimit.core;

/** A {@link FixedWindow} in one word: the number of the window since 1970, and behind it the permits taken in it. */
final class PackedWindow extends PackedState {

    PackedWindow(Policy policy) {
        super(policy);
    }

    @Override
    long charged(Packing packing, long word, long now, long permits) {
        boolean same = isCurrent(packing, word, now);
        long taken = same ? count(packing, word) : 0;
        if (permits > packing.capacity() - taken) {
            return REFUSED;
        }
        return (same ? word : now / packing.window() << packing.countBits()) + permits;
    }

    @Override
    long left(Packing packing, long word, long now) {
        return packing.capacity() - (isCurrent(packing, word, now) ? count(packing, word) : 0);
    }

    @Override
    long ticksUntil(Packing packing, long word, long now, long permits) {
        return permits <= left(packing, word, now) ? 0 : start(packing, word) + packing.window() - now;
    }

    @Override
    long refunded(Packing packing, long word, long now, long permits, long at) {
        boolean counts = isCurrent(packing, word, now) && at >= start(packing, word);
        return counts ? word - Math.min(permits, count(packing, word)) : word;
    }

    @Override
    public boolean idle(Limit limit, long now) {
        return left(packing(), noted(), now) == packing().capacity();
    }

    @Override
    LimitState unpacked(Packing packing, long word, Limit limit, long now) {
        return LimitState.restored(limit, start(packing, word), count(packing, word), 0);
    }

    private static boolean isCurrent(Packing packing, long word, long now) {
        return now - start(packing, word) < packing.window();
    }

    private static long start(Packing packing, long word) {
        return (word >> packing.countBits()) * packing.window();
    }

    private static long count(Packing packing, long word) {
        return word & ((1L << packing.countBits()) - 1);
    }
}
