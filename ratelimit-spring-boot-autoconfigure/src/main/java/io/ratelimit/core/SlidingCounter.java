package io.ratelimit.core;

/**
 * Weighs the previous window's count by how much of it still overlaps.
 *
 * <p><b>Idea.</b> Windows of the clock as in {@link FixedWindow}, but the count of the previous one fades out instead of
 * vanishing: when a quarter of the current window has passed, the last {@code W} ticks still cover three quarters of the
 * previous one, and its permits are taken to have been spread evenly over it.
 *
 * <p><b>Formula.</b> With {@code e} ticks passed since the current window began: a request of cost {@code c} is admitted
 * when {@code prev·(W − e) + (cur + c)·W <= L·W}, that is when {@code c <= L − cur − ceil(prev·(W − e) / W)}.
 *
 * <p><b>Memory.</b> Three numbers for each key, whatever the limit.
 *
 * <p><b>Burst.</b> Any closed interval of length {@code W} admits at most {@code 2L − 1}: {@code L} in the last tick of
 * a window, and one window later, when they weigh almost nothing any more, {@code L − 1}. A burst around the edge, which
 * makes a fixed window admit {@code 2L}, yields {@code L + 1} here at most.
 *
 * <p><b>Weakness.</b> An estimate: traffic that was not spread evenly is judged too hard (it came early in the previous
 * window) or too softly (it came late). Cloudflare measured 0.003% wrong decisions on real traffic.
 *
 * <p><b>If the clock stepped back</b> behind the beginning of the current window, that window is over one window after
 * the clock has caught up, and then the full count still has to fade by one permit: {@code W + W/L} in all. So that
 * nobody is blocked for longer than two windows, the state counts only if its window begins {@code W − W/L} ahead at most,
 * and is fresh else. With {@code L = 1} that is 0: a full count blocks for two windows without any step, so whoever steps
 * back behind its window finds a fresh state.
 *
 * <p><b>Source.</b> Cloudflare, "How we built rate limiting capable of scaling to millions of domains", 2017.
 */
public final class SlidingCounter extends LimitState {

    /** Permits taken in the window before. */
    private long previous;

    /** Permits taken since {@link #start}, when the current window began. */
    private long current;

    @Override
    void restore(long first, long second, long third) {
        note(first);
        previous = second;
        current = third;
    }

    @Override
    long latest() {
        return start();
    }

    @Override
    long standstill(Limit limit) {
        long window = limit.windowMicros();
        long permits = Math.max(1, limit.limit());
        return window - (window + permits - 1) / permits;
    }

    @Override
    public long capacity(Limit limit) {
        return limit.limit();
    }

    @Override
    long available(Limit limit, long time) {
        return available(limit.limit(), limit.windowMicros(), previous, current, time - start());
    }

    @Override
    long ticksUntil(Limit limit, long time, long permits) {
        boolean fits = permits <= available(limit, time);
        return fits ? 0 : ticksUntil(limit.limit() - permits, limit.windowMicros(), previous, current, time - start());
    }

    /** The formula: permits left of a limit when so many ticks have passed since the current window began. */
    static long available(long limit, long window, long previous, long current, long passed) {
        if (passed < 0 || passed >= 2 * window) {
            return limit;
        }
        return passed < window
                ? limit - current - fading(previous, window - passed, window)
                : limit - fading(current, 2 * window - passed, window);
    }

    /**
     * How long until no more count than there is room for; now they do. That is when the fading count has come down to the
     * rest of the room. If the current count alone leaves none, that is in the next window, where it is the fading one.
     */
    static long ticksUntil(long room, long window, long previous, long current, long passed) {
        return passed < window && current <= room
                ? window - Exact.floor(room - current, window, previous) - passed
                : 2 * window - Exact.floor(room, window, current) - passed;
    }

    @Override
    void add(Limit limit, long time, long permits) {
        rollTo(limit, time);
        current += permits;
    }

    @Override
    void giveBack(long time, long permits, long at, LimitStatus then) {
        if (time < start()) {
            return;
        }
        rollTo(then.limit(), time);
        if (at >= start()) {
            current = Math.max(0, current - permits);
        } else if (at >= start() - then.limit().windowMicros()) {
            previous = Math.max(0, previous - permits);
        }
    }

    @Override
    public boolean idle(Limit limit, long now) {
        long passed = time(limit, now) - start();
        boolean forgotten = passed < 0 || passed >= 2 * limit.windowMicros();
        return forgotten || current == 0 && (previous == 0 || passed >= limit.windowMicros());
    }

    @Override
    public LimitState copy() {
        SlidingCounter copy = new SlidingCounter();
        copy.note(start());
        copy.previous = previous;
        copy.current = current;
        return copy;
    }

    /** When the current window began. */
    private long start() {
        return noted();
    }

    private void rollTo(Limit limit, long time) {
        long window = limit.windowMicros();
        long passed = time - start();
        if (passed >= 0 && passed < window) {
            return;
        }
        previous = passed >= window && passed < 2 * window ? current : 0;
        current = 0;
        note(time - time % window);
    }

    private static long fading(long count, long left, long window) {
        return count == 0 ? 0 : Exact.ceil(count, left, 0, window);
    }
}
