package io.ratelimit.sample.playground;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The numbers a visitor can turn.
 *
 * @param limit permits per window
 * @param windowMillis length of the window
 * @param capacity burst of the token bucket; {@code null} for the limit
 * @param queue burst of the leaky bucket; {@code null} for none
 * @param delay how many queued requests the leaky bucket serves at once; {@code null} for none
 * @param nodelay whether the leaky bucket serves its whole queue at once; {@code null} for no
 */
record Settings(
        int limit,
        long windowMillis,
        @Nullable Integer capacity,
        @Nullable Integer queue,
        @Nullable Integer delay,
        @Nullable Boolean nodelay) {

    static final int MAX_LIMIT = 1_000;

    private static final long MAX_WINDOW_MILLIS = Duration.ofHours(1).toMillis();

    Settings {
        requireRange("limit", limit, 0, MAX_LIMIT);
        requireRange("window", windowMillis, 100, MAX_WINDOW_MILLIS);
        requireRange("burst of the token bucket", capacity == null ? 0 : capacity, 0, MAX_LIMIT);
        requireRange("queue of the leaky bucket", queue == null ? 0 : queue, 0, MAX_LIMIT);
        requireRange("delay of the leaky bucket", delay == null ? 0 : delay, 0, MAX_LIMIT);
    }

    static Settings of(int limit, Duration window) {
        return new Settings(limit, window.toMillis(), null, null, null, null);
    }

    Settings withQueue(int newQueue) {
        return new Settings(limit, windowMillis, capacity, newQueue, delay, nodelay);
    }

    Settings withNodelay() {
        return new Settings(limit, windowMillis, capacity, queue, delay, true);
    }

    Limit limitFor(Algorithm algorithm) {
        Limit plain = Limit.of(algorithm, limit, Duration.ofMillis(windowMillis));
        return switch (algorithm) {
            case FIXED_WINDOW, SLIDING_LOG, SLIDING_COUNTER -> plain;
            case TOKEN_BUCKET -> capacity == null ? plain : plain.withBurst(capacity);
            case LEAKY_BUCKET -> leaky(plain);
        };
    }

    private Limit leaky(Limit plain) {
        Limit queued = plain.withBurst(queue == null ? 0 : queue).withDelay(delay == null ? 0 : delay);
        return Boolean.TRUE.equals(nodelay) ? queued.withNodelay() : queued;
    }

    private static void requireRange(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    "%s: %d is out of range; use a number from %d to %d".formatted(what, value, min, max));
        }
    }
}
