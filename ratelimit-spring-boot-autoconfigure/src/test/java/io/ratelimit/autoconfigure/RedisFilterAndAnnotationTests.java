package io.ratelimit.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Backend;
import io.ratelimit.redis.RedisBackend;
import io.ratelimit.redis.RedisProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class RedisFilterAndAnnotationTests extends FilterAndAnnotationContract {

    private static RedisProcess redis;

    @BeforeAll
    static void startRedis() {
        redis = RedisProcess.started();
    }

    @AfterAll
    static void stopRedis() {
        redis.close();
    }

    @Test
    void countsInRedis() {
        assertThat(application.getBean(Backend.class)).isInstanceOf(RedisBackend.class);
        assertThat(application.getBean(RedisBackend.class).available()).isTrue();
    }

    @Override
    String[] backend() {
        return new String[] {
            "ratelimit.backend=redis",
            "ratelimit.redis.timeout=30s",
            "ratelimit.redis.on-failure=deny",
            "spring.data.redis.port=" + redis.port()
        };
    }
}
