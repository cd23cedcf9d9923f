package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.PropertyContract;

class RedisPropertyTests extends PropertyContract {

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        return SharedRedis.backend(timeSource);
    }

    /** Each decision is a round trip. */
    @Override
    protected int limits() {
        return 20;
    }
}
