package io.ratelimit.redis;

import java.time.Duration;

/**
 * Told what happens between the limiter and Redis. Methods are called on request threads and must neither block nor throw.
 */
public interface RedisObserver {

    /** Looks away. */
    RedisObserver NONE = new RedisObserver() {};

    /**
     * Redis answered.
     *
     * @param took the time from sending the command to its answer
     */
    default void answered(Duration took) {}

    /**
     * Redis did not answer in time, or with an error, or was left alone because it did not answer before.
     *
     * @param took the time until that was known
     * @param cause what went wrong
     */
    default void failed(Duration took, Throwable cause) {}

    /** A refusal was repeated from this node's memory, without asking Redis. */
    default void refusedFromCache() {}

    /**
     * Redis is left alone from now on, or used again.
     *
     * @param available whether it is used
     */
    default void availabilityChanged(boolean available) {}
}
