package io.ratelimit.core;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock for tests that stands still until it is moved.
 *
 * <pre>{@code
 * ManualTimeSource time = new ManualTimeSource();
 * time.advance(Duration.ofSeconds(30));
 * }</pre>
 */
public final class ManualTimeSource implements TimeSource {

    private final AtomicLong micros;

    /** Creates a clock that stands at 1970-01-01T00:00:00Z. */
    public ManualTimeSource() {
        this(0);
    }

    /**
     * Creates a clock that stands at the given time.
     *
     * @param micros microseconds since 1970-01-01T00:00:00Z
     */
    public ManualTimeSource(long micros) {
        this.micros = new AtomicLong(micros);
    }

    @Override
    public long micros() {
        return micros.get();
    }

    /**
     * Moves the clock to a time, forwards or backwards.
     *
     * @param newMicros microseconds since 1970-01-01T00:00:00Z
     */
    public void set(long newMicros) {
        micros.set(newMicros);
    }

    /**
     * Moves the clock by a duration; a negative one moves it backwards.
     *
     * @param duration how far to move, cut to whole microseconds
     */
    public void advance(Duration duration) {
        advanceMicros(duration.toNanos() / 1_000);
    }

    /**
     * Moves the clock by microseconds; a negative number moves it backwards.
     *
     * @param delta how far to move
     */
    public void advanceMicros(long delta) {
        micros.addAndGet(delta);
    }
}
