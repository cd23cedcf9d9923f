package io.ratelimit.core;

/**
 * Requests queue and leave at a steady rate.
 *
 * <p><b>Idea.</b> The bucket is a queue. It leaks {@code L} requests during each window, evenly. A request that finds
 * {@code Q} others before it is refused, any other is admitted and runs when those have left.
 *
 * <p><b>Formula.</b> In units of {@code 1/W} request the backlog falls by {@code L} each tick. A request of cost
 * {@code c} finds {@code x = backlog + (c − 1)·W} before its last part and is admitted when {@code x <= Q·W}. It waits
 * for {@code ceil((x − delay·W) / L)} ticks: the first {@code delay} places of the queue, or with {@code nodelay} all of
 * them, are served at once, though they still count until they have leaked. Where the wait is bounded, it is admitted
 * only when {@code x <= delay·W + maxDelay·L}, too; so a wait that would be too long is a refusal like any other, with a
 * time after which it would not be.
 *
 * <p><b>Memory.</b> Three numbers for each key.
 *
 * <p><b>Burst.</b> Any closed interval of length {@code W} admits at most {@code Q + 1 + L}: an empty queue fills at its
 * beginning, and what leaks until its end is filled up again. With delay, however, they <em>run</em> at the steady rate:
 * this is the only algorithm that protects what lies behind it from bursts.
 *
 * <p><b>Weakness.</b> Waiting requests cost memory and patience, and without a queue even two requests at one moment are
 * one too many.
 *
 * <p><b>Source.</b> nginx, ngx_http_limit_req_module: {@code rate} is limit per window, {@code burst}, {@code delay} and
 * {@code nodelay} are its parameters of the same names.
 */
public final class LeakyBucket extends PermitDebt {

    LeakyBucket() {}

    @Override
    long tolerance(Limit limit) {
        if (limit.limit() == 0) {
            return -1;
        }
        return boundedByWait(limit) ? limit.delay() + permitsLeaking(limit) : limit.burst();
    }

    @Override
    long toleranceUnits(Limit limit) {
        return limit.limit() != 0 && boundedByWait(limit)
                ? limit.maxDelayMicros() * limit.limit() - permitsLeaking(limit) * limit.windowMicros()
                : 0;
    }

    @Override
    long queueing(Limit limit, long time, long cost) {
        if (limit.nodelay()) {
            return 0;
        }
        long before = owedPermits(limit, time) + cost - 1 - limit.delay();
        return ticksToPay(limit, before, owedUnits(limit, time));
    }

    /**
     * A request that waits has its place in the queue. When it leaves, the place is free only if nobody came after it:
     * those behind it were told when to run, and somebody new in its place would run together with them.
     */
    @Override
    void giveBack(long time, long cost, long at, LimitStatus then) {
        if (then.delayMicros() == 0 || nobodyCameAfter(at, then)) {
            super.giveBack(time, cost, at, then);
        }
    }

    @Override
    PermitDebt empty() {
        return new LeakyBucket();
    }

    private boolean nobodyCameAfter(long at, LimitStatus then) {
        return latest() == at && available(then.limit(), at) >= then.remaining();
    }

    /** Whether the longest wait, not the length of the queue, is what bounds the backlog. */
    private static boolean boundedByWait(Limit limit) {
        return !limit.nodelay()
                && limit.maxDelayMicros() != Limit.UNBOUNDED
                && limit.delay() + permitsLeaking(limit) < limit.burst();
    }

    /** Whole requests that leak during the longest wait. */
    private static long permitsLeaking(Limit limit) {
        return Exact.floor(limit.maxDelayMicros(), limit.limit(), limit.windowMicros());
    }
}
