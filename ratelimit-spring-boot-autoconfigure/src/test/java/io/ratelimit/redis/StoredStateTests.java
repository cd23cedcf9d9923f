package io.ratelimit.redis;

import io.ratelimit.core.Policy;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.springframework.data.redis.core.StringRedisTemplate;

/** A backend on the clock of Redis, and a look behind it at the key of client {@code k}. */
abstract class StoredStateTests {

    final RedisSettings settings = SharedRedis.settings();

    final RedisBackend backend = SharedRedis.backend(null, settings);

    final StringRedisTemplate redis = new StringRedisTemplate(SharedRedis.factory());

    @AfterEach
    void close() {
        backend.close();
    }

    /** The first of the keys in which Redis keeps the policy's state. */
    String key(Policy policy) {
        BucketLayout layout = new BucketLayout(policy);
        String bucket = new BucketKeys(settings.keyPrefix()).bucket(policy.name(), "k");
        return new String(BucketKeys.all(bucket, layout)[0], StandardCharsets.UTF_8);
    }

    /** How long that key has left to live. */
    long leftMillis(Policy policy) {
        return redis.getExpire(key(policy), TimeUnit.MILLISECONDS);
    }
}
