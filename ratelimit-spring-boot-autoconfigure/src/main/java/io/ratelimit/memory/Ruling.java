package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitState;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import io.ratelimit.core.Refunds;
import io.ratelimit.core.Resets;
import io.ratelimit.core.SlidingLog;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns claimed states into decisions: all limits admit and are charged, or nothing is. */
final class Ruling {

    private final Resets own;

    private final Resets shared;

    /**
     * Creates rulings.
     *
     * @param own notes resets for what is charged under keys of their own
     * @param shared the same for what is charged where keys share
     */
    Ruling(Resets own, Resets shared) {
        this.own = own;
        this.shared = shared;
    }

    /** Decides on one key alone. */
    Decision decide(BucketState state, Policy policy, String key, long cost, long now, Space space) {
        if (state instanceof LimitState one) {
            if (state instanceof SlidingLog log) {
                dropOld(state, policy, now, space);
                makeRoom(log, policy.limits().get(0), now, cost, space);
            }
            return one.decide(chargedBy(space), policy, key, cost, now);
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
        LimitStatus[] statuses = new LimitStatus[state.parts()];
        for (int i = 0; i < state.parts(); i++) {
            LimitState part = state.part(i);
            Limit limit = policy.limits().get(i);
            long delay = part.delay(limit, now, cost);
            chargeOne(part, limit, now, cost, space);
            long remaining = part.remaining(limit, now);
            statuses[i] = new LimitStatus(limit, true, remaining, 0, part.resetAfter(limit, now, remaining), delay);
        }
        return decision(chargedBy(space), policy, key, cost, at, statuses);
    }

    /** Says what each limit would answer to so many permits, and charges nothing. */
    Decision report(BucketState state, Policy policy, String key, long cost, long permits, long now) {
        LimitStatus[] statuses = new LimitStatus[state.parts()];
        for (int i = 0; i < state.parts(); i++) {
            statuses[i] = status(state.part(i), policy.limits().get(i), permits, now);
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

    private static void chargeOne(LimitState state, Limit limit, long now, long cost, Space space) {
        if (state instanceof SlidingLog log) {
            makeRoom(log, limit, now, cost, space);
        }
        state.charge(limit, now, cost);
    }

    /** Sees to it that what is about to be charged has room in a log: for a new entry, or else in its latest one. */
    private static void makeRoom(SlidingLog log, Limit limit, long now, long cost, Space space) {
        boolean charged = cost > 0 && cost <= log.remaining(limit, now);
        if (charged && log.entries() > 0 && log.growsAt(limit, now) && !space.grow(log)) {
            log.moveLatest(limit, now);
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

    private Refunds chargedBy(Space space) {
        return (space instanceof Overflow ? shared : own).sinceNow();
    }

    private static Decision decision(
            @Nullable Refunds chargedBy, Policy policy, String key, long cost, long at, LimitStatus[] statuses) {
        if (statuses.length > 1) {
            return Decision.of(chargedBy, policy, key, cost, at, List.of(statuses));
        }
        LimitStatus only = statuses[0];
        return only.allowed()
                ? Decision.admitted(
                        chargedBy, policy, key, cost, at, only.remaining(), only.resetAfterMicros(), only.delayMicros())
                : Decision.refused(
                        policy, key, cost, at, only.remaining(), only.resetAfterMicros(), only.retryAfterMicros());
    }
}
