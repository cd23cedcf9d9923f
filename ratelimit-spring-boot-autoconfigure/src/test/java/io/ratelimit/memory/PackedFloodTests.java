package io.ratelimit.memory;

import io.ratelimit.core.ManualTimeSource;

class PackedFloodTests extends FloodTests {

    @Override
    MemoryBackend create(ManualTimeSource timeSource, long bound) {
        return MemoryBackend.packing(timeSource, bound);
    }
}
