package io.ratelimit.redis;

import io.ratelimit.core.Backend;
import io.ratelimit.core.FailurePolicy;
import io.ratelimit.core.TimeSource;
import io.ratelimit.memory.MemoryBackend;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * One Redis for all tests that do it no harm: that of {@code RATELIMIT_TEST_REDIS=host:port} if set, else a server that
 * lives as long as this virtual machine. Tests share it, so each uses policies or a prefix of its own.
 */
final class SharedRedis {

    private static final LettuceConnectionFactory FACTORY = connect();

    private SharedRedis() {}

    static LettuceConnectionFactory factory() {
        return FACTORY;
    }

    /** A backend with a key prefix of its own, that never answers for Redis, and waits long for it. */
    static RedisBackend backend(@Nullable TimeSource timeSource) {
        return backend(timeSource, settings());
    }

    static RedisBackend backend(@Nullable TimeSource timeSource, RedisSettings settings) {
        return usable(new RedisBackend(FACTORY, settings, local(), timeSource, RedisObserver.NONE));
    }

    /** Waits until it uses Redis, as it does at once unless this machine is very busy. */
    static RedisBackend usable(RedisBackend backend) {
        RedisProcess.soon().atMost(Duration.ofMinutes(1)).until(backend::available);
        return backend;
    }

    static RedisSettings settings() {
        return new RedisSettings(
                "test:" + UUID.randomUUID() + ":",
                Duration.ofSeconds(10),
                FailurePolicy.DENY,
                RedisSettings.DenyCacheSettings.disabled());
    }

    static Backend local() {
        return new MemoryBackend(TimeSource.system(), 100_000);
    }

    private static LettuceConnectionFactory connect() {
        String given = System.getenv("RATELIMIT_TEST_REDIS");
        return given == null
                ? RedisProcess.started().lettuce()
                : RedisProcess.lettuce(
                        given.substring(0, given.lastIndexOf(':')),
                        Integer.parseInt(given.substring(given.lastIndexOf(':') + 1)));
    }
}
