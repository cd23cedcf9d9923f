package io.ratelimit.core;

/**
 * What one limit of a policy says after a decision. All times are microseconds.
 *
 * @param limit the limit
 * @param allowed whether this limit admitted the request
 * @param remaining how many further requests of cost 1 would be admitted now
 * @param retryAfterMicros 0 if admitted; else the smallest time after which the same request is admitted with no other
 *     traffic, or {@link Decision#NEVER}
 * @param resetAfterMicros time until {@code remaining} grows by one with no traffic; 0 when it is at its maximum
 * @param delayMicros how long an admitted request has to wait before it runs
 */
public record LimitStatus(
        Limit limit, boolean allowed, long remaining, long retryAfterMicros, long resetAfterMicros, long delayMicros) {}
