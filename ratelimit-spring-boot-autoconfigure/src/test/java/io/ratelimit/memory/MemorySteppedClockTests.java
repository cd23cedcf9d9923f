package io.ratelimit.memory;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.SteppedClockContract;

class MemorySteppedClockTests extends SteppedClockContract {

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        return new MemoryBackend(timeSource, 1_000_000);
    }
}
