package io.ratelimit.redis;

import io.ratelimit.core.FailurePolicy;
import java.time.Duration;
import java.util.Objects;

/**
 * How the limiter uses Redis.
 *
 * @param keyPrefix what every key begins with; no braces, because those decide the hash slot in a cluster
 * @param timeout the longest time a decision may take, obtaining a connection included
 * @param onFailure what to do while Redis cannot be reached, unless the policy says otherwise
 * @param denyCache whether and how refusals are remembered on this node
 */
public record RedisSettings(String keyPrefix, Duration timeout, FailurePolicy onFailure, DenyCacheSettings denyCache) {

    /**
     * How refusals are remembered on this node.
     *
     * @param enabled whether they are
     * @param maxAge the longest time a refusal is repeated without asking Redis
     * @param maxEntries the most refusals remembered at a time
     */
    public record DenyCacheSettings(boolean enabled, Duration maxAge, int maxEntries) {

        /**
         * Validates the values.
         *
         * @throws IllegalArgumentException if one of them is not positive
         */
        public DenyCacheSettings {
            requirePositive("deny-cache.max-age", maxAge);
            if (maxEntries < 1) {
                throw new IllegalArgumentException(
                        "ratelimit.redis.deny-cache.max-entries is %d; use a positive number, or disable the cache"
                                .formatted(maxEntries));
            }
        }

        /** {@return the defaults: on, one second, 100,000 entries} */
        public static DenyCacheSettings defaults() {
            return new DenyCacheSettings(true, Duration.ofSeconds(1), 100_000);
        }

        /** {@return a cache that remembers nothing} */
        public static DenyCacheSettings disabled() {
            return new DenyCacheSettings(false, Duration.ofSeconds(1), 1);
        }
    }

    /**
     * Validates the values.
     *
     * @throws IllegalArgumentException if the prefix contains a brace or the timeout is not positive
     */
    public RedisSettings {
        Objects.requireNonNull(onFailure, "onFailure");
        Objects.requireNonNull(denyCache, "denyCache");
        requirePositive("timeout", timeout);
        if (keyPrefix.indexOf('{') >= 0 || keyPrefix.indexOf('}') >= 0) {
            throw new IllegalArgumentException(
                    "ratelimit.redis.key-prefix '%s' contains a brace, which would decide the hash slot; remove it"
                            .formatted(keyPrefix));
        }
    }

    /** {@return the defaults: prefix "ratelimit:", 100 ms, local on failure, deny cache on} */
    public static RedisSettings defaults() {
        return new RedisSettings(
                "ratelimit:", Duration.ofMillis(100), FailurePolicy.LOCAL, DenyCacheSettings.defaults());
    }

    /**
     * Returns these settings with another timeout.
     *
     * @param newTimeout the longest time a decision may take
     * @return the changed settings
     */
    public RedisSettings withTimeout(Duration newTimeout) {
        return new RedisSettings(keyPrefix, newTimeout, onFailure, denyCache);
    }

    /**
     * Returns these settings with another failure policy.
     *
     * @param newPolicy what to do while Redis cannot be reached
     * @return the changed settings
     */
    public RedisSettings withOnFailure(FailurePolicy newPolicy) {
        return new RedisSettings(keyPrefix, timeout, newPolicy, denyCache);
    }

    /**
     * Returns these settings with another deny cache.
     *
     * @param newCache its settings
     * @return the changed settings
     */
    public RedisSettings withDenyCache(DenyCacheSettings newCache) {
        return new RedisSettings(keyPrefix, timeout, onFailure, newCache);
    }

    private static void requirePositive(String what, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException(
                    "ratelimit.redis.%s is %s; use a positive duration such as 100ms".formatted(what, duration));
        }
    }
}
