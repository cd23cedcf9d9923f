package io.ratelimit.testing;

import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The algorithms as their definitions read, in numbers without bounds and without any thought of speed. Waiting times are
 * not computed but searched for.
 */
public final class Oracle {

    private static final BigInteger FAR = BigInteger.ONE.shiftLeft(62);

    private static final long AGES = 1L << 53;

    private final Limit limit;

    private final BigInteger window;

    private final BigInteger rate;

    /** What was admitted: time and permits. */
    private final List<BigInteger[]> admitted = new ArrayList<>();

    private BigInteger owed = BigInteger.ZERO;

    private BigInteger last = BigInteger.ZERO;

    public Oracle(Limit limit) {
        this.limit = limit;
        this.window = big(limit.windowMicros());
        this.rate = big(limit.limit());
    }

    /** Decides, charges if admitted, and says it in the words of a vector's row. */
    public String acquire(long now, long cost) {
        BigInteger time = big(now);
        BigInteger available = available(time);
        boolean allowed = cost == 0 || available.compareTo(big(cost)) >= 0;
        long delay = allowed && cost > 0 ? delay(time, cost) : 0;
        if (allowed && cost > 0) {
            charge(time, big(cost));
        }
        long remaining = available(time).max(BigInteger.ZERO).longValueExact();
        long retry = allowed ? 0 : waitFor(time, cost);
        long reset = Math.max(0, waitFor(time, remaining + 1));
        return words(allowed, remaining, retry, reset, delay);
    }

    /** A decision in the words of a vector's row. */
    public static String words(Decision decision) {
        return words(
                decision.allowed(),
                decision.remaining(),
                decision.retryAfterMicros(),
                decision.resetAfterMicros(),
                decision.delayMicros());
    }

    /** Waits of more than 2^53 microseconds, 285 years, are all the same. */
    private static String words(boolean allowed, long remaining, long retry, long reset, long delay) {
        return "allowed=%s remaining=%d retry=%d reset=%d delay=%d"
                .formatted(allowed, remaining, Math.min(retry, AGES), Math.min(reset, AGES), Math.min(delay, AGES));
    }

    private BigInteger available(BigInteger now) {
        if (limit.limit() == 0) {
            return BigInteger.ZERO;
        }
        return switch (limit.algorithm()) {
            case FIXED_WINDOW -> rate.subtract(taken(windowStart(now), now));
            case SLIDING_LOG -> rate.subtract(taken(now.subtract(window), now));
            case SLIDING_COUNTER -> counterRoom(now);
            case TOKEN_BUCKET ->
                big(limit.burst()).multiply(window).subtract(owedAt(now)).divide(window);
            case LEAKY_BUCKET -> queueRoom(now);
        };
    }

    private BigInteger counterRoom(BigInteger now) {
        BigInteger start = windowStart(now);
        BigInteger previous = taken(start.subtract(window), start.subtract(BigInteger.ONE));
        BigInteger current = taken(start, now);
        BigInteger left = window.subtract(now.subtract(start));
        BigInteger room = rate.subtract(current).multiply(window).subtract(previous.multiply(left));
        return floor(room, window);
    }

    private BigInteger queueRoom(BigInteger now) {
        BigInteger most = big(limit.burst()).multiply(window);
        if (!limit.nodelay() && limit.maxDelayMicros() != Limit.UNBOUNDED) {
            most = most.min(big(limit.delay())
                    .multiply(window)
                    .add(big(limit.maxDelayMicros()).multiply(rate)));
        }
        return floor(most.subtract(owedAt(now)), window).add(BigInteger.ONE);
    }

    private long delay(BigInteger now, long cost) {
        if (limit.algorithm() != io.ratelimit.core.Algorithm.LEAKY_BUCKET || limit.nodelay()) {
            return 0;
        }
        BigInteger before = owedAt(now).add(big(cost - 1).multiply(window));
        BigInteger excess = before.subtract(big(limit.delay()).multiply(window));
        return excess.signum() <= 0
                ? 0
                : floor(excess.add(rate).subtract(BigInteger.ONE), rate)
                        .min(FAR)
                        .longValueExact();
    }

    private void charge(BigInteger now, BigInteger cost) {
        owed = owedAt(now).add(cost.multiply(window));
        last = now;
        admitted.add(new BigInteger[] {now, cost});
    }

    private long waitFor(BigInteger now, long permits) {
        if (big(permits).compareTo(capacity()) > 0) {
            return Decision.NEVER;
        }
        BigInteger low = BigInteger.ZERO;
        BigInteger high = FAR;
        while (low.compareTo(high) < 0) {
            BigInteger middle = low.add(high).shiftRight(1);
            if (available(now.add(middle)).compareTo(big(permits)) >= 0) {
                high = middle;
            } else {
                low = middle.add(BigInteger.ONE);
            }
        }
        return low.longValueExact();
    }

    private BigInteger capacity() {
        return new Oracle(limit).available(BigInteger.ZERO);
    }

    private BigInteger owedAt(BigInteger now) {
        return owed.subtract(now.subtract(last).multiply(rate)).max(BigInteger.ZERO);
    }

    private BigInteger taken(BigInteger from, BigInteger to) {
        BigInteger sum = BigInteger.ZERO;
        for (BigInteger[] one : admitted) {
            if (one[0].compareTo(from) >= 0 && one[0].compareTo(to) <= 0) {
                sum = sum.add(one[1]);
            }
        }
        return sum;
    }

    private BigInteger windowStart(BigInteger now) {
        return now.subtract(now.mod(window));
    }

    private static BigInteger floor(BigInteger value, BigInteger divisor) {
        return value.subtract(value.mod(divisor)).divide(divisor);
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }
}
