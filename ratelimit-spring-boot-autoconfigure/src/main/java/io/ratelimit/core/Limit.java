package io.ratelimit.core;

import java.time.Duration;
import java.util.Objects;

/**
 * One limit: how many permits an algorithm grants in a window.
 *
 * <p>All times are microseconds. Values are exact for limits and bursts up to 10<sup>12</sup> and windows from one
 * millisecond to 366 days; anything outside is refused here.
 *
 * @param algorithm how the limit counts
 * @param limit permits per window; 0 refuses everything
 * @param windowMicros length of the window in microseconds
 * @param burst for {@link Algorithm#TOKEN_BUCKET} the capacity of the bucket, for {@link Algorithm#LEAKY_BUCKET} the
 *     length of the queue; for the others always equal to {@code limit}
 * @param delay for {@link Algorithm#LEAKY_BUCKET}: how many queued requests are served without waiting; else 0
 * @param nodelay for {@link Algorithm#LEAKY_BUCKET}: whether the whole queue is served without waiting; else false
 * @param maxDelayMicros for {@link Algorithm#LEAKY_BUCKET}: the longest wait that is granted, in microseconds;
 *     {@link #UNBOUNDED} if only the queue bounds it, as for all others
 */
public record Limit(
        Algorithm algorithm,
        long limit,
        long windowMicros,
        long burst,
        long delay,
        boolean nodelay,
        long maxDelayMicros) {

    /** The largest limit and burst. */
    public static final long MAX_LIMIT = 1_000_000_000_000L;

    /** The shortest window: one millisecond. */
    public static final long MIN_WINDOW_MICROS = 1_000;

    /** The longest window: 366 days. */
    public static final long MAX_WINDOW_MICROS = 366L * 24 * 3600 * 1_000_000;

    /** Stands for "no bound" in {@link #maxDelayMicros}. */
    public static final long UNBOUNDED = Long.MAX_VALUE;

    /**
     * Validates the values.
     *
     * @throws IllegalArgumentException if one of them is out of range, with a message that names it
     */
    public Limit {
        Objects.requireNonNull(algorithm, "algorithm");
        requireRange("limit", limit, 0, MAX_LIMIT);
        if (windowMicros < MIN_WINDOW_MICROS || windowMicros > MAX_WINDOW_MICROS) {
            throw new IllegalArgumentException("window %s is out of range; use a duration from 1ms to 366d"
                    .formatted(Duration.ofNanos(Math.multiplyHigh(windowMicros, 1000) == 0 ? windowMicros * 1000 : 0)));
        }
        requireRange("burst", burst, 0, MAX_LIMIT);
        requireRange("delay", delay, 0, MAX_LIMIT);
        if (maxDelayMicros < 0) {
            throw new IllegalArgumentException("max-delay must not be negative, but is %dus".formatted(maxDelayMicros));
        }
        boolean bucket = algorithm == Algorithm.TOKEN_BUCKET || algorithm == Algorithm.LEAKY_BUCKET;
        if (!bucket && burst != limit) {
            throw new IllegalArgumentException(
                    "burst %d does not apply to %s; remove it, or use TOKEN_BUCKET or LEAKY_BUCKET"
                            .formatted(burst, algorithm));
        }
        if (algorithm != Algorithm.LEAKY_BUCKET && (delay != 0 || nodelay || maxDelayMicros != UNBOUNDED)) {
            throw new IllegalArgumentException(
                    "delay, nodelay and max-delay do not apply to %s; remove them, or use LEAKY_BUCKET"
                            .formatted(algorithm));
        }
    }

    /**
     * Creates a limit with the algorithm's default burst: the limit itself, or an empty queue for
     * {@link Algorithm#LEAKY_BUCKET}.
     *
     * @param algorithm how the limit counts
     * @param limit permits per window
     * @param window length of the window, at least one millisecond, in whole microseconds
     * @return the limit
     * @throws IllegalArgumentException if a value is out of range
     */
    public static Limit of(Algorithm algorithm, long limit, Duration window) {
        return ofMicros(algorithm, limit, toMicros("window", window));
    }

    /**
     * Creates a limit with the algorithm's default burst, the window given in microseconds.
     *
     * @param algorithm how the limit counts
     * @param limit permits per window
     * @param windowMicros length of the window in microseconds
     * @return the limit
     * @throws IllegalArgumentException if a value is out of range
     */
    public static Limit ofMicros(Algorithm algorithm, long limit, long windowMicros) {
        long burst = algorithm == Algorithm.LEAKY_BUCKET ? 0 : limit;
        return new Limit(algorithm, limit, windowMicros, burst, 0, false, UNBOUNDED);
    }

    /**
     * Returns this limit with another burst.
     *
     * @param newBurst capacity of the token bucket or length of the leaky bucket's queue
     * @return the changed limit
     */
    public Limit withBurst(long newBurst) {
        return new Limit(algorithm, limit, windowMicros, newBurst, delay, nodelay, maxDelayMicros);
    }

    /**
     * Returns this leaky bucket with a number of queued requests that are served without waiting.
     *
     * @param newDelay that number
     * @return the changed limit
     */
    public Limit withDelay(long newDelay) {
        return new Limit(algorithm, limit, windowMicros, burst, newDelay, nodelay, maxDelayMicros);
    }

    /**
     * Returns this leaky bucket without any waiting.
     *
     * @return the changed limit
     */
    public Limit withNodelay() {
        return new Limit(algorithm, limit, windowMicros, burst, delay, true, maxDelayMicros);
    }

    /**
     * Returns this leaky bucket with a bound on the wait.
     *
     * @param maxDelay the longest wait that is granted; longer ones are refusals
     * @return the changed limit
     */
    public Limit withMaxDelay(Duration maxDelay) {
        return new Limit(algorithm, limit, windowMicros, burst, delay, nodelay, toMicros("max-delay", maxDelay));
    }

    /**
     * Returns the window as a duration.
     *
     * @return the length of the window
     */
    public Duration window() {
        return Duration.of(windowMicros, java.time.temporal.ChronoUnit.MICROS);
    }

    /** {@return the window in the largest unit that has no remainder, such as "1m", "90s" or "1500ms"} */
    public String windowText() {
        long[] sizes = {86_400_000_000L, 3_600_000_000L, 60_000_000, 1_000_000, 1_000};
        String[] units = {"d", "h", "m", "s", "ms"};
        for (int i = 0; i < sizes.length; i++) {
            if (windowMicros % sizes[i] == 0) {
                return windowMicros / sizes[i] + units[i];
            }
        }
        return windowMicros + "us";
    }

    /** {@return the limit in words, such as "100 per 1m (SLIDING_COUNTER)" or "5 per 1s (TOKEN_BUCKET, burst 20)"} */
    public String describe() {
        boolean bursts = algorithm == Algorithm.LEAKY_BUCKET || burst != limit;
        return "%d per %s (%s%s)".formatted(limit, windowText(), algorithm, bursts ? ", burst " + burst : "");
    }

    /**
     * Tells whether state counted under the other limit can be read under this one: algorithm and window are equal. The
     * number of permits is no part of a limit's identity, so that a changed limit keeps its counts.
     *
     * @param other another limit
     * @return whether both count alike
     */
    public boolean countsLike(Limit other) {
        return algorithm == other.algorithm && windowMicros == other.windowMicros;
    }

    private static void requireRange(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "%s %d is out of range; use a number from %d to %d".formatted(what, value, min, max));
        }
    }

    private static long toMicros(String what, Duration duration) {
        if (duration.toNanosPart() % 1_000 != 0) {
            throw new IllegalArgumentException("%s %s is finer than a microsecond".formatted(what, duration));
        }
        return Math.addExact(Math.multiplyExact(duration.getSeconds(), 1_000_000L), duration.toNanosPart() / 1_000);
    }
}
