package io.ratelimit.core;

/**
 * The clock of the limiter: microseconds that never run backwards.
 *
 * <p>Declare a bean of this type to replace the limiter's own clock, in memory and in Redis alike. An implementation
 * must be safe for use by many threads and must not block.
 */
@FunctionalInterface
public interface TimeSource {

    /**
     * Returns the current time.
     *
     * @return microseconds since 1970-01-01T00:00:00Z, not negative and below 2<sup>61</sup> (some 73,000 years): a clock that
     *     counts nanoseconds is none
     */
    long micros();

    /**
     * Returns a clock that reads the wall clock once, now, and from then on follows {@link System#nanoTime()}, so that a
     * stepped wall clock changes nothing.
     *
     * @return a new monotonic clock
     */
    static TimeSource system() {
        return new MonotonicTimeSource();
    }
}
