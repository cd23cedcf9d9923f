package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.SlidingLog;

/** What a key counts towards the bound: one, or the entries of its logs, each log at least one. */
final class Weight {

    private Weight() {}

    static long of(BucketState state) {
        long entries = 0;
        for (int i = 0; i < state.parts(); i++) {
            if (state.part(i) instanceof SlidingLog log) {
                entries += Math.max(1, log.entries());
            }
        }
        return Math.max(1, entries);
    }
}
