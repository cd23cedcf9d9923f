package io.ratelimit.sample.playground;

import io.ratelimit.core.Algorithm;
import java.util.List;

/**
 * What one algorithm made of the traffic.
 *
 * @param algorithm how it counted
 * @param capacity what a client who never asked before may ask at once
 * @param admitted number of requests that ran, at once or later
 * @param delayed number of those that had to wait
 * @param refused number of requests that did not run
 * @param moments what happened at each instant of the traffic
 * @param curve how {@code remaining} went: each point holds until the next
 */
record Lane(
        Algorithm algorithm,
        long capacity,
        int admitted,
        int delayed,
        int refused,
        List<Moment> moments,
        List<CurvePoint> curve) {

    /**
     * The decisions of one instant.
     *
     * @param atMicros the instant
     * @param admitted number of requests that ran, at once or later
     * @param refused number of requests that did not run
     * @param delaysMicros how long those that had to wait did so
     * @param remaining what the last decision said
     * @param retryAfterMicros what the last decision said: 0 if it admitted, -1 for never
     * @param resetAfterMicros what the last decision said
     */
    record Moment(
            long atMicros,
            int admitted,
            int refused,
            List<Long> delaysMicros,
            long remaining,
            long retryAfterMicros,
            long resetAfterMicros) {}

    /**
     * How many requests would be admitted from an instant on.
     *
     * @param atMicros the instant
     * @param remaining that number
     */
    record CurvePoint(long atMicros, long remaining) {}
}
