package io.ratelimit.autoconfigure;

import io.ratelimit.autoconfigure.RateLimitProperties.BackendType;
import io.ratelimit.core.TimeSource;
import io.ratelimit.enforcement.RateLimitConfigurationException;
import io.ratelimit.memory.MemoryBackend;
import java.util.function.Supplier;

/** Turns what rooms say about their settings into start-up failures that name the property. */
final class PropertyChecks {

    private PropertyChecks() {}

    /**
     * Builds something from properties.
     *
     * @param subject the properties' common name
     * @param construction builds it; reports bad values as "what is wrong; what to do"
     * @return what was built
     * @throws RateLimitConfigurationException if a value is bad
     */
    static <T> T checked(String subject, Supplier<T> construction) {
        try {
            return construction.get();
        } catch (IllegalArgumentException e) {
            throw explained(subject, String.valueOf(e.getMessage()));
        }
    }

    private static RateLimitConfigurationException explained(String subject, String message) {
        int split = message.indexOf("; ");
        String problem = split < 0 ? message : message.substring(0, split);
        String remedy = split < 0 ? "correct the value" : message.substring(split + 2);
        boolean namesProperty = problem.startsWith(subject + ".");
        int nameEnd = problem.indexOf(' ');
        return namesProperty
                ? new RateLimitConfigurationException(
                        problem.substring(0, nameEnd), problem.substring(nameEnd + 1), remedy)
                : new RateLimitConfigurationException(subject, problem, remedy);
    }

    /**
     * Builds this node's memory.
     *
     * @param properties how large it may grow
     * @param timeSource its clock
     * @return the backend
     * @throws RateLimitConfigurationException if the size is bad
     */
    static MemoryBackend memoryBackend(RateLimitProperties properties, TimeSource timeSource) {
        return checked(
                "ratelimit.memory",
                () -> new MemoryBackend(timeSource, properties.memory().maxKeys()));
    }

    /**
     * Refuses to count in memory what was to be counted in Redis.
     *
     * @param properties the properties
     * @throws RateLimitConfigurationException if they ask for Redis
     */
    static void requireRedisNotWanted(RateLimitProperties properties) {
        if (properties.backend() == BackendType.REDIS) {
            throw new RateLimitConfigurationException(
                    "ratelimit.backend",
                    "'redis' needs Spring Data Redis and a RedisConnectionFactory bean, and at least one is missing",
                    "add spring-boot-starter-data-redis, or use ratelimit.backend = memory");
        }
    }
}
