package io.ratelimit.sample.playground;

/**
 * Requests that arrive at one instant.
 *
 * @param atMicros the instant, in microseconds since the start, which is also the edge of a window
 * @param count how many
 */
record Arrivals(long atMicros, int count) {

    Arrivals {
        if (atMicros < 0) {
            throw new IllegalArgumentException("arrivals: time %d is negative; use 0 or later".formatted(atMicros));
        }
        if (count < 1) {
            throw new IllegalArgumentException("arrivals: count %d is less than 1".formatted(count));
        }
    }

    static Arrivals at(double seconds, int count) {
        return new Arrivals(Math.round(seconds * 1_000_000), count);
    }
}
