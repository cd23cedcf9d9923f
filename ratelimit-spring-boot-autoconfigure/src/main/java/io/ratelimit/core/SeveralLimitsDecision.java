package io.ratelimit.core;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The decision of a policy as the sum of what its limits say. */
final class SeveralLimitsDecision extends Decision {

    private final List<LimitStatus> limits;

    SeveralLimitsDecision(
            @Nullable Refunds chargedBy,
            Policy policy,
            String key,
            long cost,
            long atMicros,
            List<LimitStatus> limits) {
        super(chargedBy, policy, key, cost, atMicros);
        this.limits = List.copyOf(limits);
        if (limits.size() != policy.limits().size()) {
            throw new IllegalArgumentException("policy '%s' has %d limits, but %d statuses were given"
                    .formatted(policy.name(), policy.limits().size(), limits.size()));
        }
    }

    @Override
    public boolean allowed() {
        for (LimitStatus status : limits) {
            if (!status.allowed()) {
                return false;
            }
        }
        return true;
    }

    @Override
    public long remaining() {
        return tightest().remaining();
    }

    @Override
    public long retryAfterMicros() {
        long largest = 0;
        for (LimitStatus status : limits) {
            if (status.retryAfterMicros() == NEVER) {
                return NEVER;
            }
            largest = Math.max(largest, status.retryAfterMicros());
        }
        return largest;
    }

    @Override
    public long resetAfterMicros() {
        return tightest().resetAfterMicros();
    }

    @Override
    public long delayMicros() {
        if (!allowed()) {
            return 0;
        }
        long largest = 0;
        for (LimitStatus status : limits) {
            largest = Math.max(largest, status.delayMicros());
        }
        return largest;
    }

    @Override
    public List<LimitStatus> limits() {
        return limits;
    }

    private LimitStatus tightest() {
        LimitStatus tightest = limits.get(0);
        for (LimitStatus status : limits) {
            boolean less = status.remaining() < tightest.remaining();
            boolean equalButLonger = status.remaining() == tightest.remaining()
                    && status.resetAfterMicros() > tightest.resetAfterMicros();
            if (less || equalButLonger) {
                tightest = status;
            }
        }
        return tightest;
    }
}
