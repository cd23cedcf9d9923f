package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.ConcurrencyContract;

class RedisConcurrencyTests extends ConcurrencyContract {

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        return SharedRedis.backend(timeSource);
    }
}
