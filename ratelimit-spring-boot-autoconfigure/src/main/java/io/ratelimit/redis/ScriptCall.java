package io.ratelimit.redis;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A script that was sent; Redis is asked for its digest, and told the text only if it says that it does not know it. */
final class ScriptCall {

    private final RedisLink link;

    private final RedisObserver observer;

    private final @Nullable ScriptConnection connection;

    private final Script script;

    private final byte[][] keys;

    private final byte[][] arguments;

    private final long sentNanos = System.nanoTime();

    private @Nullable Future<byte[]> answer;

    private @Nullable Throwable failure;

    private ScriptCall(RedisLink link, RedisObserver observer, Script script, byte[][] keys, byte[][] arguments) {
        this.link = link;
        this.observer = observer;
        this.connection = link.connection();
        this.script = script;
        this.keys = keys;
        this.arguments = arguments;
    }

    /** Sends a script without waiting. */
    static ScriptCall send(RedisLink link, RedisObserver observer, Script script, byte[][] keys, byte[][] arguments) {
        ScriptCall call = new ScriptCall(link, observer, script, keys, arguments);
        if (call.connection == null) {
            call.failure = link.unavailable();
        } else {
            call.send(call.connection);
        }
        return call;
    }

    /** Sends the text of a script without waiting. */
    static ScriptCall sendText(
            RedisLink link, RedisObserver observer, Script script, byte[][] keys, byte[][] arguments) {
        ScriptCall call = new ScriptCall(link, observer, script, keys, arguments);
        if (call.connection != null) {
            try {
                call.answer = call.connection.eval(script, keys, arguments);
            } catch (RuntimeException e) {
                call.fail(call.connection, e);
            }
        }
        return call;
    }

    /** Waits until the deadline, after which the command is neither withdrawn nor counted as a failure. */
    void awaitOrLeave(long deadlineNanos) {
        long left = deadlineNanos - System.nanoTime();
        if (answer == null || left <= 0) {
            return;
        }
        try {
            answer.get(left, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            failure = e;
        }
    }

    /** Waits for the answer; {@code null} if there is none by the deadline, and {@link #failure} then says why. */
    byte @Nullable [] await(long deadlineNanos) {
        byte[] result = connection == null ? null : await(connection, deadlineNanos);
        Duration took = Duration.ofNanos(System.nanoTime() - sentNanos);
        if (result != null) {
            link.succeeded(connection);
            observer.answered(took);
        } else {
            observer.failed(took, failure());
        }
        return result;
    }

    Throwable failure() {
        return failure == null ? new IllegalStateException("did not fail") : failure;
    }

    private void send(ScriptConnection open) {
        try {
            answer = open.evalSha(script, keys, arguments);
        } catch (RuntimeException e) {
            fail(open, e);
        }
    }

    private byte @Nullable [] await(ScriptConnection open, long deadlineNanos) {
        try {
            return answer == null ? null : get(answer, deadlineNanos);
        } catch (ExecutionException e) {
            if (!open.isUnknownScript(e.getCause())) {
                return fail(open, e.getCause());
            }
        } catch (TimeoutException | RuntimeException e) {
            return fail(open, e);
        }
        return awaitText(open, deadlineNanos);
    }

    private byte @Nullable [] awaitText(ScriptConnection open, long deadlineNanos) {
        try {
            return get(open.eval(script, keys, arguments), deadlineNanos);
        } catch (ExecutionException e) {
            return fail(open, e.getCause());
        } catch (TimeoutException | RuntimeException e) {
            return fail(open, e);
        }
    }

    /** An interrupted request says nothing about Redis, so it is not counted as a failure. */
    private byte @Nullable [] get(Future<byte[]> future, long deadlineNanos)
            throws ExecutionException, TimeoutException {
        try {
            return future.get(Math.max(0, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            failure = e;
            return null;
        } catch (TimeoutException e) {
            // Not yet written, it must not be written after a reconnect.
            future.cancel(true);
            throw e;
        }
    }

    private byte @Nullable [] fail(ScriptConnection used, Throwable cause) {
        failure = cause;
        link.failed(used, cause);
        return null;
    }
}
