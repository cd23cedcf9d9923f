package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.testing.RefundContract;
import org.junit.jupiter.api.AfterEach;

class RedisRefundTests extends RefundContract {

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
