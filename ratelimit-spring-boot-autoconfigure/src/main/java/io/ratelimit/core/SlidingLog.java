package io.ratelimit.core;

/**
 * Remembers every admitted request for one window.
 *
 * <p><b>Idea.</b> Keep the times of what was admitted, oldest first, and count those that are no older than the window.
 * Nothing is estimated.
 *
 * <p><b>Formula.</b> Times {@code t} with {@code now − t > W} are dropped; the window is closed, so an age of exactly
 * {@code W} still counts. A request of cost {@code c} is admitted when {@code count + c <= L}; then {@code now} is
 * appended {@code c} times.
 *
 * <p><b>Memory.</b> Two numbers for each different time, so up to {@code L} of them: times that are equal are one entry
 * with a count.
 *
 * <p><b>Burst.</b> Any closed interval of length {@code W} admits at most {@code L}. No other algorithm here keeps that
 * promise.
 *
 * <p><b>Weakness.</b> The memory. Where it must be bounded, {@link #moveLatest} lets new permits join the latest
 * entry at the price of strictness: it never admits more, and forgets later.
 *
 * <p><b>Source.</b> Known from Redis' sorted sets; see ClassDojo, "Better Rate Limiting With Redis Sorted Sets", 2015.
 */
public final class SlidingLog extends LimitState {

    private final TimeCounts entries;

    SlidingLog() {
        this(new TimeCounts());
    }

    private SlidingLog(TimeCounts entries) {
        this.entries = entries;
    }

    /**
     * Returns how many different times are remembered.
     *
     * @return number of entries
     */
    public int entries() {
        return entries.size();
    }

    /**
     * Drops what has left the window. That changes no answer and is left to the caller, who may keep account of entries.
     *
     * @param limit the limit
     * @param now the time on the clock
     */
    public void dropOld(Limit limit, long now) {
        dropOldAt(limit, time(limit, now));
    }

    /**
     * Tells whether a charge now would need a new entry.
     *
     * @param limit the limit
     * @param now the time on the clock
     * @return whether no entry has the time of such a charge
     */
    public boolean growsAt(Limit limit, long now) {
        return entries.isEmpty() || entries.latestTime() != time(limit, now);
    }

    /**
     * Moves the latest entry, if there is one, to now, so that a charge now needs no new one. What it held counts for
     * longer than it should.
     *
     * @param limit the limit
     * @param now the time on the clock
     */
    public void moveLatest(Limit limit, long now) {
        long time = time(limit, now);
        dropOldAt(limit, time);
        if (!entries.isEmpty()) {
            entries.moveLatest(time);
        }
    }

    @Override
    void restore(long first, long second, long third) {
        throw new IllegalArgumentException("a sliding log is no three numbers");
    }

    @Override
    long latest() {
        return entries.isEmpty() ? 0 : entries.latestTime();
    }

    @Override
    public long capacity(Limit limit) {
        return limit.limit();
    }

    @Override
    long available(Limit limit, long time) {
        return limit.limit() - counting(limit, time);
    }

    /** As many of the oldest permits must leave as are too many; each leaves one tick after its age is the window. */
    @Override
    long ticksUntil(Limit limit, long time, long permits) {
        long tooMany = counting(limit, time) + permits - limit.limit();
        if (tooMany <= 0) {
            return 0;
        }
        long gone = entries.countBefore(time - limit.windowMicros());
        return entries.timeOf(gone + tooMany) + limit.windowMicros() + 1 - time;
    }

    @Override
    void add(Limit limit, long time, long permits) {
        dropOldAt(limit, time);
        entries.append(time, permits);
    }

    /** Takes them out of the entry of that time or, where that one was moved, out of the next. */
    @Override
    void giveBack(long time, long permits, long at, LimitStatus then) {
        dropOldAt(then.limit(), time);
        if (time - at <= then.limit().windowMicros()) {
            entries.take(at, permits);
        }
    }

    @Override
    public boolean idle(Limit limit, long now) {
        return counting(limit, time(limit, now)) == 0;
    }

    @Override
    public LimitState copy() {
        return new SlidingLog(entries.copy());
    }

    /** Permits not older than the window. */
    private long counting(Limit limit, long time) {
        return forgotten(time) ? 0 : entries.total() - entries.countBefore(time - limit.windowMicros());
    }

    private void dropOldAt(Limit limit, long time) {
        if (forgotten(time)) {
            entries.clear();
        }
        entries.dropBefore(time - limit.windowMicros());
    }

    /** Whether the clock stepped back so far that even the latest time means nothing any more. */
    private boolean forgotten(long time) {
        return entries.isEmpty() || entries.latestTime() > time;
    }
}
