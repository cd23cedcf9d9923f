package io.ratelimit.web;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.LimitStatus;
import java.util.List;

/**
 * The one place where microseconds become the whole seconds of HTTP: rounded up, so that a client who waits that long is
 * admitted, and never 0.
 *
 * <p>In the closed window of the sliding log an entry still counts at the age of exactly one window, so its times end in
 * one more microsecond; it is taken off first, or every 10 s would become 11.
 */
final class Seconds {

    /** Stands for "there is no such time". */
    static final long NONE = -1;

    private static final long MICROS = 1_000_000;

    private Seconds() {}

    static long roundUp(long micros, Algorithm algorithm) {
        long ticks = algorithm == Algorithm.SLIDING_LOG ? micros - 1 : micros;
        return Math.max(1, ticks / MICROS + (ticks % MICROS > 0 ? 1 : 0));
    }

    /**
     * Returns when the refused request would be admitted.
     *
     * @param quotas what all policies said
     * @return the largest time among the limits that refused, or {@link #NONE} if one of them never admits it, or if
     *     none refused
     */
    static long retryAfter(List<Quota> quotas) {
        long largest = NONE;
        for (Quota quota : quotas) {
            if (quota.decision().allowed()) {
                continue;
            }
            long retryAfter = retryAfter(quota.decision());
            if (retryAfter == NONE) {
                return NONE;
            }
            largest = Math.max(largest, retryAfter);
        }
        return largest;
    }

    private static long retryAfter(Decision refusal) {
        if (refusal.retryAfterMicros() == Decision.NEVER) {
            return NONE;
        }
        long largest = NONE;
        for (LimitStatus status : refusal.limits()) {
            if (!status.allowed()) {
                Algorithm algorithm = status.limit().algorithm();
                largest = Math.max(largest, roundUp(status.retryAfterMicros(), algorithm));
            }
        }
        return largest;
    }

    /**
     * Returns when the limit has more to give.
     *
     * @param status what a limit says
     * @return the time until {@code remaining} grows, or {@link #NONE} if it is at its maximum
     */
    static long resetAfter(LimitStatus status) {
        if (status.resetAfterMicros() <= 0) {
            return NONE;
        }
        return roundUp(status.resetAfterMicros(), status.limit().algorithm());
    }
}
