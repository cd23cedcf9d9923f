package io.ratelimit.core;

import java.util.List;

/**
 * Decides whether a request may run now. Inject it to limit what is neither an HTTP request nor an annotated method:
 * messages of a queue, frames of a WebSocket, jobs.
 *
 * <pre>{@code
 * Decision decision = rateLimiter.acquire("login", username, 1);
 * if (!decision.allowed()) {
 *     ...
 * }
 * }</pre>
 *
 * <p>All methods are safe for use by many threads, virtual ones included. None waits for permits: an admitted request
 * whose {@link Decision#delayMicros()} is positive is to be run that much later by the caller.
 */
public interface RateLimiter {

    /**
     * Returns the policy of a name.
     *
     * @param name a name from {@code ratelimit.policies} or known to the application's {@code PolicyResolver}
     * @return the policy
     * @throws IllegalArgumentException if there is no such policy
     */
    Policy policy(String name);

    /**
     * Takes permits from every limit of a policy, or from none.
     *
     * @param policy the limits that decide
     * @param key the partition key, any text
     * @param cost number of permits; 0 is always admitted and charges nothing
     * @return the decision
     * @throws IllegalArgumentException if the cost is negative
     */
    Decision acquire(Policy policy, String key, long cost);

    /**
     * Takes permits from every limit of several policies, or from none. If one of them refuses, nothing is charged
     * anywhere; the decisions of the others then say {@link Decision#allowed()} and need no refund.
     *
     * @param acquisitions what to take
     * @return one decision for each acquisition, in their order
     */
    List<Decision> acquireAll(List<Acquisition> acquisitions);

    /**
     * Says what a request of cost 1 would be told now, and charges nothing.
     *
     * @param policy the limits that decide
     * @param key the partition key
     * @return the decision
     */
    Decision peek(Policy policy, String key);

    /**
     * Gives back what a decision charged. Works once for each decision and on the backend that charged; a refused
     * decision and a second refund change nothing.
     *
     * @param decision an earlier decision of this limiter
     */
    void refund(Decision decision);

    /**
     * Forgets everything counted for a key.
     *
     * @param policy whose counts
     * @param key the partition key
     */
    void reset(Policy policy, String key);

    /** Forgets everything counted for all keys of all policies; meant for tests. */
    void reset();

    /**
     * Takes permits of a named policy.
     *
     * @param policy a name from {@code ratelimit.policies}
     * @param key the partition key, any text
     * @param cost number of permits; 0 is always admitted and charges nothing
     * @return the decision
     * @throws IllegalArgumentException if there is no such policy or the cost is negative
     */
    default Decision acquire(String policy, String key, long cost) {
        return acquire(policy(policy), key, cost);
    }

    /**
     * Says what a request of cost 1 would be told now, and charges nothing.
     *
     * @param policy a name from {@code ratelimit.policies}
     * @param key the partition key
     * @return the decision
     * @throws IllegalArgumentException if there is no such policy
     */
    default Decision peek(String policy, String key) {
        return peek(policy(policy), key);
    }

    /**
     * Forgets everything counted for a key.
     *
     * @param policy a name from {@code ratelimit.policies}
     * @param key the partition key
     * @throws IllegalArgumentException if there is no such policy
     */
    default void reset(String policy, String key) {
        reset(policy(policy), key);
    }
}
