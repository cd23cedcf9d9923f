package io.ratelimit.autoconfigure;

import io.ratelimit.core.Backend;
import io.ratelimit.core.TimeSource;
import io.ratelimit.memory.MemoryBackend;
import io.ratelimit.redis.RedisBackend;
import io.ratelimit.redis.RedisObserver;
import io.ratelimit.redis.RedisSettings;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/** Configures the Redis backend on the application's own Redis settings. */
@AutoConfiguration(
        before = RateLimitAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration"
        })
@ConditionalOnClass(RedisConnectionFactory.class)
@ConditionalOnBean(RedisConnectionFactory.class)
@ConditionalOnMissingBean(Backend.class)
@ConditionalOnProperty(name = "ratelimit.enabled", matchIfMissing = true)
@ConditionalOnProperty(name = "ratelimit.backend", havingValue = "redis")
public final class RateLimitRedisAutoConfiguration {

    private static final String LOCAL = "rateLimitLocalBackend";

    @Bean(name = LOCAL, defaultCandidate = false)
    MemoryBackend rateLimitLocalBackend(RateLimitProperties properties, TimeSource timeSource) {
        return PropertyChecks.memoryBackend(properties, timeSource);
    }

    @Bean
    RedisBackend rateLimitRedisBackend(
            RedisConnectionFactory connectionFactory,
            RateLimitProperties properties,
            TimeSource timeSource,
            @Qualifier(LOCAL) MemoryBackend local,
            ObjectProvider<RedisObserver> observers) {
        RedisSettings settings = PropertyChecks.checked("ratelimit.redis", () -> settings(properties.redis()));
        TimeSource users = timeSource instanceof DefaultTimeSource ? null : timeSource;
        return new RedisBackend(
                connectionFactory, settings, local, users, observers.getIfAvailable(() -> RedisObserver.NONE));
    }

    @Bean
    RedisBackendLifecycle rateLimitRedisBackendLifecycle(RedisBackend backend) {
        return new RedisBackendLifecycle(backend);
    }

    private static RedisSettings settings(RateLimitProperties.Redis redis) {
        RateLimitProperties.Redis.DenyCache cache = redis.denyCache();
        return new RedisSettings(
                redis.keyPrefix(),
                redis.timeout(),
                redis.onFailure(),
                new RedisSettings.DenyCacheSettings(cache.enabled(), cache.maxAge(), cache.maxEntries()));
    }
}
