package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.VectorContract;

class RedisVectorTests extends VectorContract {

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        return SharedRedis.backend(timeSource);
    }
}
