package io.ratelimit.core;

/**
 * Counts per window of the clock.
 *
 * <p><b>Idea.</b> Time is cut into windows of equal length, tied to the clock: with one-minute windows, a new one begins
 * with every minute. Each window has its own count, which starts at zero.
 *
 * <p><b>Formula.</b> With {@code start = now div W · W} and {@code n} permits taken since: a request of cost {@code c}
 * is admitted when {@code n + c <= L}. Refused requests can be repeated when the window ends, all at the same moment.
 *
 * <p><b>Memory.</b> Two numbers for each key.
 *
 * <p><b>Burst.</b> Any closed interval of length {@code W} admits at most {@code 2L}: {@code L} at the end of one
 * window and {@code L} at the beginning of the next.
 *
 * <p><b>Weakness.</b> Just that burst at the edge, and that everybody's quota returns at the same moment, so clients
 * that wait for it come back in step. Its strength: the easiest to explain ("100 per calendar minute").
 *
 * <p><b>Source.</b> The oldest way of all; Redis describes it as "Rate limiter 1" in the documentation of INCR.
 */
public final class FixedWindow extends LimitState {

    /** Permits taken in the window that began at {@link #start}. */
    private long count;

    @Override
    void restore(long first, long second, long third) {
        note(first);
        count = second;
    }

    @Override
    long latest() {
        return start();
    }

    @Override
    public long capacity(Limit limit) {
        return limit.limit();
    }

    @Override
    long available(Limit limit, long time) {
        return limit.limit() - taken(limit, time);
    }

    @Override
    long ticksUntil(Limit limit, long time, long permits) {
        boolean room = permits <= available(limit, time);
        return room ? 0 : start() + limit.windowMicros() - time;
    }

    @Override
    void add(Limit limit, long time, long permits) {
        if (sameWindow(limit, time)) {
            count += permits;
        } else {
            count = permits;
            note(time - time % limit.windowMicros());
        }
    }

    /** Only in the window that was charged: a later one does not know of it. */
    @Override
    void giveBack(long time, long permits, long at, LimitStatus then) {
        if (at >= start() && sameWindow(then.limit(), time)) {
            count = Math.max(0, count - permits);
        }
    }

    @Override
    public boolean idle(Limit limit, long now) {
        return taken(limit, time(limit, now)) == 0;
    }

    @Override
    public LimitState copy() {
        FixedWindow copy = new FixedWindow();
        copy.note(start());
        copy.count = count;
        return copy;
    }

    /** When the window of {@link #count} began. */
    private long start() {
        return noted();
    }

    private long taken(Limit limit, long time) {
        return sameWindow(limit, time) ? count : 0;
    }

    private boolean sameWindow(Limit limit, long time) {
        long passed = time - start();
        return passed >= 0 && passed < limit.windowMicros();
    }
}
