package io.ratelimit.autoconfigure;

import io.ratelimit.redis.RedisBackend;
import org.springframework.context.SmartLifecycle;

/**
 * Keeps the backend from using the application's Redis client while that is stopped: it stops after the web server and before
 * the connection factory, on which it depends, and starts the other way round.
 */
final class RedisBackendLifecycle implements SmartLifecycle {

    /** Connection factories have phase 0; a higher one stops earlier. */
    private static final int PHASE = 1;

    private final RedisBackend backend;

    private volatile boolean running;

    RedisBackendLifecycle(RedisBackend backend) {
        this.backend = backend;
    }

    @Override
    public void start() {
        backend.resume();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        backend.pause();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return PHASE;
    }
}
