package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.PropertyContract;
import org.junit.jupiter.api.AfterEach;

class RedisPropertyTests extends PropertyContract {

    private RedisBackend redis;

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        redis = SharedRedis.backend(timeSource);
        return redis;
    }

    /** Each decision is a round trip. */
    @Override
    protected int limits() {
        return 20;
    }

    @AfterEach
    void close() {
        redis.close();
    }
}
