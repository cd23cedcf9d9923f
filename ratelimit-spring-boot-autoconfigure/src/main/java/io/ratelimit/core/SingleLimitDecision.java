package io.ratelimit.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision of a policy with one limit, in 64 bytes: the wait of an admitted request and the retry time of a refused
 * one share a field, so nothing but this object is allocated on the way of a request.
 */
final class SingleLimitDecision extends Decision {

    private final long remaining;

    /** Microseconds; if negative, minus the units of 1/W permit that have to flow back first, L of them each microsecond. */
    private final long recovery;

    /** The delay if not negative; else {@code -2 - retryAfter}, which for "never" is -1. */
    private final long delayOrRefusal;

    SingleLimitDecision(
            @Nullable Refunds chargedBy,
            Policy policy,
            String key,
            long cost,
            long atMicros,
            long remaining,
            long recovery,
            long delayOrRefusal) {
        super(chargedBy, policy, key, cost, atMicros);
        this.remaining = remaining;
        this.recovery = recovery;
        this.delayOrRefusal = delayOrRefusal;
    }

    static long encodeRefusal(long retryAfterMicros) {
        return -2 - retryAfterMicros;
    }

    @Override
    public boolean allowed() {
        return delayOrRefusal >= 0;
    }

    @Override
    public long remaining() {
        return remaining;
    }

    @Override
    public long retryAfterMicros() {
        return allowed() ? 0 : -2 - delayOrRefusal;
    }

    @Override
    public long resetAfterMicros() {
        if (recovery >= 0) {
            return recovery;
        }
        long limit = policy().limits().get(0).limit();
        return (limit - 1 - recovery) / limit;
    }

    @Override
    public long delayMicros() {
        return allowed() ? delayOrRefusal : 0;
    }

    @Override
    public List<LimitStatus> limits() {
        return onlyLimit();
    }
}
