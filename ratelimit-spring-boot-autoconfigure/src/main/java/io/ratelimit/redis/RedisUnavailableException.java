package io.ratelimit.redis;

import org.jspecify.annotations.Nullable;

/** Told to the {@link RedisObserver}: Redis was not asked, because it did not answer before or was never reached. */
final class RedisUnavailableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception.
     *
     * @param last what went wrong last; {@code null} if nothing has yet
     */
    RedisUnavailableException(@Nullable Throwable last) {
        super("Redis is left alone until it can be reached again", last, false, false);
    }
}
