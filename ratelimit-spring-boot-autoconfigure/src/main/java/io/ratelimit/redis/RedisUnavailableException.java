package io.ratelimit.redis;

/** Told to the {@link RedisObserver}: Redis was not asked, because it did not answer before or was never reached. */
final class RedisUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    RedisUnavailableException() {
        super("Redis is left alone until it can be reached again", null, false, false);
    }
}
