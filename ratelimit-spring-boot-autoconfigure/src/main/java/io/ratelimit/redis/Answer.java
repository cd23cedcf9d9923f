package io.ratelimit.redis;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitState;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import io.ratelimit.core.Refunds;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What Redis said about one bucket: the time there, and the state of each limit before this call. From that, decisions are
 * made here with the arithmetic that the memory backend uses, as of that time or, while nothing changes, of a later one.
 */
final class Answer {

    private final long now;

    private final long at;

    private final Part[] parts;

    /** The state of one limit, as it was found. */
    private sealed interface Part permits Counted, Logged {

        /** The time that counts for this state. */
        long time(Limit limit, long now);

        LimitStatus charged(Limit limit, long now, long before, long cost);

        LimitStatus seen(Limit limit, long now, long permits);
    }

    private Answer(long now, long at, Part[] parts) {
        this.now = now;
        this.at = at;
        this.parts = parts;
    }

    /** Reads what stands in a reply about the next policy. */
    static Answer read(ByteBuffer reply, long now, Policy policy) {
        Part[] parts = new Part[policy.limits().size()];
        long at = now;
        for (int i = 0; i < parts.length; i++) {
            Limit limit = policy.limits().get(i);
            long first = (long) reply.getDouble();
            long second = (long) reply.getDouble();
            long third = (long) reply.getDouble();
            parts[i] = limit.algorithm() == Algorithm.SLIDING_LOG
                    ? new Logged(first, second, third, (long) reply.getDouble())
                    : new Counted(first, second, third);
            at = Math.max(at, parts[i].time(limit, now));
        }
        return new Answer(now, at, parts);
    }

    /** Reads the value that was written when a cost was charged, and finds what was there before. */
    static Answer readWritten(ByteBuffer value, Policy policy, long cost) {
        Part[] parts = new Part[policy.limits().size()];
        long now = 0;
        for (int i = 0; i < parts.length; i++) {
            value.getDouble();
            long first = (long) value.getDouble();
            long second = (long) value.getDouble();
            long third = (long) value.getDouble();
            Limit limit = policy.limits().get(i);
            switch (limit.algorithm()) {
                case FIXED_WINDOW -> {
                    now = third;
                    parts[i] = new Counted(first, second - cost, 0);
                }
                case SLIDING_COUNTER -> {
                    now = first;
                    parts[i] = new Counted(first - first % limit.windowMicros(), second, third - cost);
                }
                case TOKEN_BUCKET, LEAKY_BUCKET -> {
                    now = third;
                    parts[i] = new Counted(first - cost, second, third);
                }
                case SLIDING_LOG -> throw new IllegalArgumentException("a log is not part of the value");
            }
        }
        return new Answer(now, now, parts);
    }

    /** The decision if the cost was charged. */
    Decision charged(@Nullable Refunds chargedBy, Policy policy, String key, long cost) {
        return charged(chargedBy, policy, key, 0, cost);
    }

    /** The decision if the cost, which may be 0, was charged after so many permits of the same call. */
    Decision charged(@Nullable Refunds chargedBy, Policy policy, String key, long before, long cost) {
        LimitStatus[] statuses = new LimitStatus[parts.length];
        for (int i = 0; i < parts.length; i++) {
            statuses[i] = parts[i].charged(policy.limits().get(i), now, before, cost);
        }
        return decision(chargedBy, policy, key, cost, at, statuses);
    }

    /**
     * What so many permits would be told some time after this answer, if nothing was charged by it or since.
     *
     * @param cost the cost to report
     * @param permits the permits to ask for
     * @param later microseconds since this answer
     */
    Decision seen(Policy policy, String key, long cost, long permits, long later) {
        LimitStatus[] statuses = new LimitStatus[parts.length];
        for (int i = 0; i < parts.length; i++) {
            statuses[i] = parts[i].seen(policy.limits().get(i), now + later, permits);
        }
        return decision(null, policy, key, cost, Math.max(at, now + later), statuses);
    }

    /** Whether {@link #seen} is right at a later time: what it says of a log holds until the next entry leaves. */
    boolean holds(Policy policy, long later) {
        for (int i = 0; i < parts.length; i++) {
            Limit limit = policy.limits().get(i);
            if (parts[i] instanceof Logged log && log.units > 0 && now + later > log.next + limit.windowMicros()) {
                return false;
            }
        }
        return true;
    }

    /** Whether the answer is about one cost only, as with a log, of which Redis looked up a single entry. */
    boolean forOneCost() {
        for (Part part : parts) {
            if (part instanceof Logged) {
                return true;
            }
        }
        return false;
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

    /** Three numbers that the core's state consists of. */
    private record Counted(long first, long second, long third) implements Part {

        @Override
        public long time(Limit limit, long now) {
            return state(limit).time(limit, now);
        }

        @Override
        public LimitStatus charged(Limit limit, long now, long before, long cost) {
            LimitState state = state(limit);
            if (before > 0) {
                state.charge(limit, now, before);
            }
            long delay = 0;
            if (cost > 0) {
                delay = state.delay(limit, now, cost);
                state.charge(limit, now, cost);
            }
            return new LimitStatus(limit, true, state.remaining(limit, now), 0, state.resetAfter(limit, now), delay);
        }

        @Override
        public LimitStatus seen(Limit limit, long now, long permits) {
            LimitState state = state(limit);
            long remaining = state.remaining(limit, now);
            boolean allowed = permits <= remaining;
            long retryAfter = allowed ? 0 : state.retryAfter(limit, now, permits);
            long delay = allowed && permits > 0 ? state.delay(limit, now, permits) : 0;
            return new LimitStatus(limit, allowed, remaining, retryAfter, state.resetAfter(limit, now), delay);
        }

        private LimitState state(Limit limit) {
            return LimitState.restored(limit, first, second, third);
        }
    }

    /**
     * A log that stays in Redis.
     *
     * @param units units that count
     * @param next the time of the entry whose leaving lets remaining grow
     * @param awaited the time of the entry whose leaving admits the cost that was asked for
     * @param last the time that counts for this log
     */
    private record Logged(long units, long next, long awaited, long last) implements Part {

        @Override
        public long time(Limit limit, long now) {
            return Math.max(last, now);
        }

        @Override
        public LimitStatus charged(Limit limit, long now, long before, long cost) {
            return new LimitStatus(limit, true, limit.limit() - units - before - cost, 0, leaves(next, limit, now), 0);
        }

        @Override
        public LimitStatus seen(Limit limit, long now, long permits) {
            long remaining = Math.max(0, limit.limit() - units);
            boolean allowed = permits <= remaining;
            long never = permits > limit.limit() ? Decision.NEVER : leaves(awaited, limit, now);
            long resetAfter = units == 0 || limit.limit() == 0 ? 0 : leaves(next, limit, now);
            return new LimitStatus(limit, allowed, remaining, allowed ? 0 : never, resetAfter, 0);
        }

        private static long leaves(long entry, Limit limit, long now) {
            return entry + limit.windowMicros() + 1 - now;
        }
    }
}
