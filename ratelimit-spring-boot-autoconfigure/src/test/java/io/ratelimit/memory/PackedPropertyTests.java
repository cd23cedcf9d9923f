package io.ratelimit.memory;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.PropertyContract;

class PackedPropertyTests extends PropertyContract {

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        return MemoryBackend.packing(timeSource, 1_000_000);
    }
}
