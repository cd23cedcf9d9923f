package io.ratelimit.autoconfigure;

import io.ratelimit.core.TimeSource;

/** The clock of applications that declare none. In Redis, the clock of Redis takes its place. */
final class DefaultTimeSource implements TimeSource {

    private final TimeSource system = TimeSource.system();

    @Override
    public long micros() {
        return system.micros();
    }
}
