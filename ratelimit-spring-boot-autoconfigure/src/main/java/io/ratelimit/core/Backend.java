package io.ratelimit.core;

import java.util.List;

/**
 * Where permits are counted: this node's memory or a shared Redis. The promises of each method are those of
 * {@link RateLimiter}, which knows policies by name as well.
 */
public interface Backend extends Refunds {

    /** See {@link RateLimiter#acquire(Policy, String, long)}; the mode as in {@link Acquisition}. */
    Decision acquire(Policy policy, String key, long cost, Acquisition.Mode mode);

    /** See {@link RateLimiter#acquireAll(List)}. */
    List<Decision> acquireAll(List<Acquisition> acquisitions);

    /** See {@link RateLimiter#peek(Policy, String)}. */
    Decision peek(Policy policy, String key);

    /** See {@link RateLimiter#reset(Policy, String)}. */
    void reset(Policy policy, String key);

    /** See {@link RateLimiter#reset()}. */
    void reset();
}
