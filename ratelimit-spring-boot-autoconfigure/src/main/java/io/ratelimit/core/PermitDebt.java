package io.ratelimit.core;

/**
 * Permits owed, paid back at a steady rate: the arithmetic that {@link TokenBucket} and {@link LeakyBucket} share.
 *
 * <p>A token bucket that lacks some tokens and a queue in which some requests wait are one thing seen from two sides.
 * Both owe something; each admitted request adds its cost to the debt, and every tick pays back {@code L} units, where a
 * unit is {@code 1/W} of a permit, so that {@code L} permits are paid in a window and no division ever rounds. A request
 * of cost {@code c} is admitted when {@code debt + (c − 1)·W <= T}: the tolerance {@code T} is all in which the two
 * differ. (This is the generic cell rate algorithm of ATM networks, ITU-T I.371, with its theoretical arrival time kept
 * as a debt.)
 *
 * <p>The debt is kept as whole permits and a rest in units, as of the time of the latest charge, so none of the numbers
 * depends on {@code L}. Where all of it fits into one word, counted in units, it is kept as a rest alone: then a decision
 * is one multiplication and one division. Only a debt beyond 2<sup>62</sup> units (a million permits a day is still well
 * below) has whole permits apart, and takes the long way.
 */
abstract sealed class PermitDebt extends LimitState permits TokenBucket, LeakyBucket {

    private static final long ONE_WORD = 1L << 62;

    /** Whole permits owed at {@link #last}; 0 if the units say it all. */
    private long permits;

    /** What is owed beyond them at {@link #last}, in units of 1/W permit, less than 2<sup>62</sup>. */
    private long units;

    /** Whole permits of the tolerance T; −1 if nothing is ever admitted. */
    abstract long tolerance(Limit limit);

    /** What the tolerance has beyond them, in units of 1/W permit, less than W. */
    long toleranceUnits(Limit limit) {
        return 0;
    }

    /** The most permits that can be owed; more was charged under another limit and is forgiven. */
    long mostOwed(Limit limit) {
        return Long.MAX_VALUE;
    }

    abstract PermitDebt empty();

    @Override
    final void restore(long first, long second, long third) {
        permits = first;
        units = second;
        note(third);
    }

    @Override
    final long latest() {
        return last();
    }

    @Override
    public final long capacity(Limit limit) {
        return tolerance(limit) + 1;
    }

    @Override
    final long available(Limit limit, long time) {
        if (fitsOneWord(limit)) {
            return Math.floorDiv(toleratedUnits(limit) - owedInOneWord(limit, time), limit.windowMicros()) + 1;
        }
        long borrow = owedUnits(limit, time) > toleranceUnits(limit) ? 1 : 0;
        return tolerance(limit) + 1 - owedPermits(limit, time) - borrow;
    }

    @Override
    final long ticksUntil(Limit limit, long time, long wanted) {
        if (fitsOneWord(limit)) {
            long after = owedInOneWord(limit, time) + (wanted - 1) * limit.windowMicros();
            return ticksToPay(limit, 0, after - toleratedUnits(limit));
        }
        long tooManyPermits = owedPermits(limit, time) + wanted - 1 - tolerance(limit);
        long tooManyUnits = owedUnits(limit, time) - toleranceUnits(limit);
        return ticksToPay(limit, tooManyPermits, tooManyUnits);
    }

    @Override
    final long recovery(Limit limit, long time, long remaining) {
        if (remaining >= capacity(limit)) {
            return 0;
        }
        return fitsOneWord(limit)
                ? toleratedUnits(limit) - owedInOneWord(limit, time) - remaining * limit.windowMicros()
                : ticksUntil(limit, time, remaining + 1);
    }

    @Override
    final void add(Limit limit, long time, long cost) {
        if (fitsOneWord(limit)) {
            units = owedInOneWord(limit, time) + cost * limit.windowMicros();
            note(time);
        } else {
            settle(limit, time);
            permits += cost;
            joinUnits(limit);
        }
    }

    /**
     * What was charged less what was paid back since: that part cannot be given back twice. It is taken from the debt as of
     * {@link #last}, so what that decision's limit was does not matter for what others have paid or owe.
     */
    @Override
    void giveBack(long time, long cost, long at, LimitStatus then) {
        Limit limit = then.limit();
        long unpaidPermits = cost - paidPermits(limit, time - at);
        long unpaidUnits = -paidUnits(limit, time - at);
        if (unpaidUnits < 0) {
            unpaidPermits--;
            unpaidUnits += limit.windowMicros();
        }
        if (unpaidPermits >= 0 && time >= last()) {
            subtract(limit, unpaidPermits, unpaidUnits);
            joinUnits(limit);
        }
    }

    @Override
    public final boolean idle(Limit limit, long now) {
        long time = time(limit, now);
        return owedPermits(limit, time) == 0 && owedUnits(limit, time) == 0;
    }

    @Override
    public final LimitState copy() {
        PermitDebt copy = empty();
        copy.permits = permits;
        copy.units = units;
        copy.note(last());
        return copy;
    }

    /** Whole permits owed at a time. */
    final long owedPermits(Limit limit, long time) {
        if (time <= last()) {
            return time < last() ? 0 : startingPermits(limit);
        }
        return Math.max(0, balance(limit, time - last()));
    }

    /** What is owed beyond them at a time, in units of 1/W permit. */
    final long owedUnits(Limit limit, long time) {
        if (time <= last()) {
            return time < last() ? 0 : startingUnits(limit);
        }
        if (balance(limit, time - last()) < 0) {
            return 0;
        }
        long rest = startingUnits(limit) - paidUnits(limit, time - last());
        return rest < 0 ? rest + limit.windowMicros() : rest;
    }

    /** How long it takes to pay a debt; with whole permits, the units may be negative, more than minus one permit. */
    static long ticksToPay(Limit limit, long permits, long units) {
        if (permits == 0) {
            return units <= 0 ? 0 : (units + limit.limit() - 1) / limit.limit();
        }
        long wholePermits = units < 0 ? permits - 1 : permits;
        long rest = units < 0 ? units + limit.windowMicros() : units;
        return wholePermits < 0 ? 0 : Exact.ceil(wholePermits, limit.windowMicros(), rest, limit.limit());
    }

    /** Whether everything that this state can be compared with fits into one word, as what it holds does. */
    private boolean fitsOneWord(Limit limit) {
        return permits == 0 && isOneWord(capacity(limit) + 1, limit.windowMicros());
    }

    private static boolean isOneWord(long permits, long window) {
        long product = permits * window;
        return Math.multiplyHigh(permits, window) == 0 && product >= 0 && product < ONE_WORD;
    }

    private long toleratedUnits(Limit limit) {
        return tolerance(limit) * limit.windowMicros() + toleranceUnits(limit);
    }

    private long owedInOneWord(Limit limit, long time) {
        long ticks = time - last();
        if (ticks < 0) {
            return 0;
        }
        long owed = mostOwed(limit) == Long.MAX_VALUE ? units : Math.min(units, mostOwed(limit) * limit.windowMicros());
        long paid = ticks * limit.limit();
        boolean allPaid = Math.multiplyHigh(ticks, limit.limit()) != 0 || paid < 0 || paid >= owed;
        return allPaid ? 0 : owed - paid;
    }

    /** Counts the permits as units, too, if that fits. */
    private void joinUnits(Limit limit) {
        if (isOneWord(permits + 1, limit.windowMicros())) {
            units += permits * limit.windowMicros();
            permits = 0;
        }
    }

    /** Whole permits owed after so many ticks, rounded down; negative when more was paid than was owed. */
    private long balance(Limit limit, long ticks) {
        long borrow = startingUnits(limit) < paidUnits(limit, ticks) ? 1 : 0;
        return startingPermits(limit) - paidPermits(limit, ticks) - borrow;
    }

    private long startingPermits(Limit limit) {
        return Math.min(permits + units / limit.windowMicros(), mostOwed(limit));
    }

    private long startingUnits(Limit limit) {
        return permits + units / limit.windowMicros() < mostOwed(limit) ? units % limit.windowMicros() : 0;
    }

    private static long paidPermits(Limit limit, long ticks) {
        return Exact.floor(ticks, limit.limit(), limit.windowMicros());
    }

    /** The rest of the division in {@link #paidPermits}; wraps around as the product does, so the difference is exact. */
    private static long paidUnits(Limit limit, long ticks) {
        return ticks * limit.limit() - paidPermits(limit, ticks) * limit.windowMicros();
    }

    /** The time of the latest charge. */
    private long last() {
        return noted();
    }

    private void settle(Limit limit, long time) {
        long owedPermits = owedPermits(limit, time);
        units = owedUnits(limit, time);
        permits = owedPermits;
        note(time);
    }

    private void subtract(Limit limit, long lessPermits, long lessUnits) {
        permits += units / limit.windowMicros() - lessPermits;
        units = units % limit.windowMicros() - lessUnits;
        if (units < 0) {
            permits--;
            units += limit.windowMicros();
        }
        if (permits < 0) {
            permits = 0;
            units = 0;
        }
    }
}
