package io.ratelimit.redis;

import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;

/**
 * Uses clients that block, such as Jedis, through Spring Data: on threads of its own, so that a request waits for the
 * deadline and not for the client. The factory pools what is beneath.
 */
final class BlockingConnection implements ScriptConnection {

    static final int THREADS = 16;

    private static final int MOST_WAITING = 1_000;

    private final RedisConnectionFactory factory;

    private final Runnable onClose;

    private final ExecutorService threads = new ThreadPoolExecutor(
            THREADS, THREADS, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>(MOST_WAITING), task -> {
                Thread thread = new Thread(task, "ratelimit-redis");
                thread.setDaemon(true);
                return thread;
            });

    BlockingConnection(RedisConnectionFactory factory, Runnable onClose) {
        this.factory = factory;
        this.onClose = onClose;
    }

    @Override
    public Future<byte[]> evalSha(Script script, byte[][] keys, byte[]... arguments) {
        return run(redis -> redis.scriptingCommands()
                .<byte[]>evalSha(script.digest(), ReturnType.VALUE, keys.length, joined(keys, arguments)));
    }

    @Override
    public Future<byte[]> eval(Script script, byte[][] keys, byte[]... arguments) {
        return run(redis -> redis.scriptingCommands()
                .<byte[]>eval(script.text(), ReturnType.VALUE, keys.length, joined(keys, arguments)));
    }

    @Override
    public boolean isUnknownScript(Throwable error) {
        for (Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause.getMessage() != null && cause.getMessage().contains("NOSCRIPT")) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void deleteMatching(byte[] pattern) {
        try (RedisConnection redis = factory.getConnection()) {
            Set<byte[]> found = redis.keyCommands().keys(pattern);
            if (found != null) {
                found.forEach(key -> redis.keyCommands().del(key));
            }
        }
    }

    @Override
    public Future<?> close() {
        threads.shutdownNow();
        onClose.run();
        return CompletableFuture.completedFuture(null);
    }

    private <T> Future<T> run(RedisWork<T> work) {
        Callable<T> task = () -> {
            try (RedisConnection redis = factory.getConnection()) {
                return work.with(redis);
            }
        };
        FutureTask<T> future = new FutureTask<>(task);
        try {
            threads.execute(future);
            return future;
        } catch (RejectedExecutionException e) {
            future.cancel(false);
            return future;
        }
    }

    private static byte[][] joined(byte[][] keys, byte[][] arguments) {
        byte[][] joined = new byte[keys.length + arguments.length][];
        System.arraycopy(keys, 0, joined, 0, keys.length);
        System.arraycopy(arguments, 0, joined, keys.length, arguments.length);
        return joined;
    }

    private interface RedisWork<T> {
        T with(RedisConnection redis);
    }
}
