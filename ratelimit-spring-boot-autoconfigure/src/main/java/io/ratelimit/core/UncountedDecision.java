package io.ratelimit.core;

import java.util.List;

/** The answer of a failure policy: no limit was consulted, nothing was charged. */
final class UncountedDecision extends Decision {

    private final boolean allowed;

    UncountedDecision(Policy policy, String key, long cost, boolean allowed) {
        super(null, policy, key, cost, 0);
        this.allowed = allowed;
    }

    @Override
    public boolean allowed() {
        return allowed;
    }

    @Override
    public boolean counted() {
        return false;
    }

    @Override
    public long remaining() {
        return 0;
    }

    @Override
    public long retryAfterMicros() {
        return allowed ? 0 : NEVER;
    }

    @Override
    public long resetAfterMicros() {
        return 0;
    }

    @Override
    public long delayMicros() {
        return 0;
    }

    @Override
    public List<LimitStatus> limits() {
        return List.of();
    }
}
