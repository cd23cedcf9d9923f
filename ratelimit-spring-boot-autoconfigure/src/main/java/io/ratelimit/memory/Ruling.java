package io.ratelimit.memory;

import io.ratelimit.core.Backend;
import io.ratelimit.core.BucketState;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitState;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import io.ratelimit.core.SlidingLog;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns claimed states into decisions: all limits admit and are charged, or nothing is. */
final class Ruling {

    private final Backend chargedBy;

    Ruling(Backend chargedBy) {
        this.chargedBy = chargedBy;
    }

    /** Decides on one key alone. */
    Decision decide(BucketState state, Policy policy, String key, long cost, long now, Space space) {
        if (state instanceof LimitState one) {
            return decideOne(one, policy, key, cost, now, space);
        }
        dropOld(state, policy, now, space);
        return admits(state, policy, cost, now)
                ? charge(state, policy, key, cost, now, space)
                : report(state, policy, key, cost, cost, now);
    }

    /** Whether every limit has so many permits left. */
    boolean admits(BucketState state, Policy policy, long permits, long now) {
        for (int i = 0; i < state.parts(); i++) {
            if (permits > state.part(i).remaining(policy.limits().get(i), now)) {
                return false;
            }
        }
        return true;
    }

    /** Charges every limit; they were asked before. */
    Decision charge(BucketState state, Policy policy, String key, long cost, long now, Space space) {
        if (cost == 0) {
            return report(state, policy, key, 0, 0, now);
        }
        long at = time(state, policy, now);
        List<LimitStatus> statuses = new ArrayList<>(state.parts());
        for (int i = 0; i < state.parts(); i++) {
            LimitState part = state.part(i);
            Limit limit = policy.limits().get(i);
            long delay = part.delay(limit, now, cost);
            chargeOne(part, limit, now, cost, space);
            long remaining = part.remaining(limit, now);
            statuses.add(new LimitStatus(limit, true, remaining, 0, part.resetAfter(limit, now, remaining), delay));
        }
        return decision(chargedBy, policy, key, cost, at, statuses);
    }

    /** Says what each limit would answer to so many permits, and charges nothing. */
    Decision report(BucketState state, Policy policy, String key, long cost, long permits, long now) {
        List<LimitStatus> statuses = new ArrayList<>(state.parts());
        for (int i = 0; i < state.parts(); i++) {
            statuses.add(status(state.part(i), policy.limits().get(i), permits, now));
        }
        return decision(null, policy, key, cost, time(state, policy, now), statuses);
    }

    /** Lets logs drop what has left their window, and gives the room back. */
    static void dropOld(BucketState state, Policy policy, long now, Space space) {
        for (int i = 0; i < state.parts(); i++) {
            if (state.part(i) instanceof SlidingLog log) {
                long before = Math.max(1, log.entries());
                log.dropOld(policy.limits().get(i), now);
                space.shrink(before - Math.max(1, log.entries()));
            }
        }
    }

    /** The time of the decision: that of the part whose clock is farthest. */
    private static long time(BucketState state, Policy policy, long now) {
        long latest = now;
        for (int i = 0; i < state.parts(); i++) {
            latest = Math.max(latest, state.part(i).time(policy.limits().get(i), now));
        }
        return latest;
    }

    /** The hot path: the decision is the only object that is made. */
    private Decision decideOne(LimitState state, Policy policy, String key, long cost, long now, Space space) {
        Limit limit = policy.limits().get(0);
        if (state instanceof SlidingLog) {
            dropOld(state, policy, now, space);
        }
        long at = state.time(limit, now);
        long remaining = state.remaining(limit, now);
        if (cost > remaining) {
            return Decision.refused(
                    policy,
                    key,
                    cost,
                    at,
                    remaining,
                    state.resetAfter(limit, now, remaining),
                    state.retryAfter(limit, now, cost));
        }
        if (cost == 0) {
            return Decision.admitted(null, policy, key, 0, at, remaining, state.resetAfter(limit, now, remaining), 0);
        }
        long delay = state.delay(limit, now, cost);
        chargeOne(state, limit, now, cost, space);
        long left = remaining - cost;
        return Decision.admitted(chargedBy, policy, key, cost, at, left, state.resetAfter(limit, now, left), delay);
    }

    private static void chargeOne(LimitState state, Limit limit, long now, long cost, Space space) {
        if (state instanceof SlidingLog log && log.entries() > 0 && log.growsAt(limit, now) && !space.grow(log)) {
            log.mergeIntoLatest(limit, now, cost);
        } else {
            state.charge(limit, now, cost);
        }
    }

    private static LimitStatus status(LimitState state, Limit limit, long permits, long now) {
        long remaining = state.remaining(limit, now);
        boolean allowed = permits <= remaining;
        return new LimitStatus(
                limit,
                allowed,
                remaining,
                allowed ? 0 : state.retryAfter(limit, now, permits),
                state.resetAfter(limit, now, remaining),
                allowed && permits > 0 ? state.delay(limit, now, permits) : 0);
    }

    private static Decision decision(
            @Nullable Backend chargedBy, Policy policy, String key, long cost, long at, List<LimitStatus> statuses) {
        if (statuses.size() > 1) {
            return Decision.of(chargedBy, policy, key, cost, at, statuses);
        }
        LimitStatus only = statuses.get(0);
        return only.allowed()
                ? Decision.admitted(
                        chargedBy, policy, key, cost, at, only.remaining(), only.resetAfterMicros(), only.delayMicros())
                : Decision.refused(
                        policy, key, cost, at, only.remaining(), only.resetAfterMicros(), only.retryAfterMicros());
    }
}
