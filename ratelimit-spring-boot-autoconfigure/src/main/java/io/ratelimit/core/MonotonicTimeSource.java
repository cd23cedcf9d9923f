package io.ratelimit.core;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** The wall clock at creation, carried on by {@link System#nanoTime()}. */
final class MonotonicTimeSource implements TimeSource {

    private static final long NANOS_PER_MICRO = 1_000;

    private final long originNanos = System.nanoTime();

    private final long originMicros = ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());

    @Override
    public long micros() {
        return originMicros + (System.nanoTime() - originNanos) / NANOS_PER_MICRO;
    }
}
