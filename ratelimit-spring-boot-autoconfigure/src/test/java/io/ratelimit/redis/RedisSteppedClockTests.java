package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.SteppedClockContract;
import org.junit.jupiter.api.AfterEach;

class RedisSteppedClockTests extends SteppedClockContract {

    private RedisBackend redis;

    @Override
    protected Backend createBackend(ManualTimeSource timeSource) {
        redis = SharedRedis.backend(timeSource);
        return redis;
    }

    @AfterEach
    void close() {
        redis.close();
    }
}
