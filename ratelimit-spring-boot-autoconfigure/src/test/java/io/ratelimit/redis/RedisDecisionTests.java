package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.DecisionContract;

class RedisDecisionTests extends DecisionContract {

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        return SharedRedis.backend(timeSource);
    }
}
