package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitState;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;

/** How much of its limits a key has used. The clock is read while the state is claimed, so it is never behind it. */
final class Usage {

    /** Stands for a state that refuses now. */
    static final long EXHAUSTED = Long.MAX_VALUE;

    private static final long MILLION = 1_000_000;

    private final TimeSource timeSource;

    Usage(TimeSource timeSource) {
        this.timeSource = timeSource;
    }

    /** Lets the logs of a claimed state drop what has left their window. */
    void dropOld(BucketState state, Policy policy, Space space) {
        Ruling.dropOld(state, policy, timeSource.micros(), space);
    }

    /** Whether a claimed state decides like a fresh one. */
    boolean idle(BucketState state, Policy policy) {
        return idleAt(state, policy, timeSource.micros());
    }

    /** The used share of the tightest limit of a claimed state: millionths; 0 if idle, or {@link #EXHAUSTED}. */
    long of(BucketState state, Policy policy) {
        long now = timeSource.micros();
        if (idleAt(state, policy, now)) {
            return 0;
        }
        long most = 1;
        for (int i = 0; i < state.parts(); i++) {
            most = Math.max(most, share(state.part(i), policy.limits().get(i), now));
        }
        return most;
    }

    private static long share(LimitState state, Limit limit, long now) {
        long capacity = state.capacity(limit);
        long remaining = state.remaining(limit, now);
        return remaining == 0 ? EXHAUSTED : (capacity - remaining) * MILLION / capacity;
    }

    private static boolean idleAt(BucketState state, Policy policy, long now) {
        for (int i = 0; i < state.parts(); i++) {
            if (!state.part(i).idle(policy.limits().get(i), now)) {
                return false;
            }
        }
        return true;
    }
}
