package io.ratelimit.redis;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The one connection in use, and the decision whether to use it: a circuit breaker. After {@value #FAILURES_TO_OPEN}
 * failures in a row Redis is left alone; in the background a fresh connection is opened every {@value #PROBE_MILLIS} ms
 * until one can write, and that one is used. Request threads never connect and never wait for a lock.
 */
final class RedisLink implements AutoCloseable {

    static final int FAILURES_TO_OPEN = 3;

    static final long PROBE_MILLIS = 200;

    /** Attempts that hang are not waited for: others are begun beside them, up to so many at this pace ... */
    private static final int HANGING_AT_FULL_PACE = 5;

    /** ... and beyond that up to so many, each {@value #SLOW_PACE} times as late. */
    private static final int HANGING_AT_MOST = 64;

    private static final int SLOW_PACE = 5;

    /** Writing shows what a ping does not: whether this is a master, and one with memory left. */
    private static final Script PROBE = Script.of("redis.call('SET', KEYS[1], '1', 'PX', 1000) return 'ok'");

    private static final long PROBE_TIMEOUT_MILLIS = 1_000;

    private static final long CLOSE_MILLIS = 100;

    private final ScriptConnector connector;

    private final byte[] probeKey;

    private final RedisObserver observer;

    private final OutageLog log;

    private final AtomicReference<@Nullable ScriptConnection> current = new AtomicReference<>();

    private final AtomicInteger failures = new AtomicInteger();

    private final AtomicInteger attempts = new AtomicInteger();

    private final CountDownLatch firstAttempt = new CountDownLatch(1);

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(daemon("probe-clock"));

    private final ExecutorService connecting = Executors.newCachedThreadPool(daemon("probe"));

    private volatile @Nullable Throwable lastFailure;

    private volatile boolean closed;

    private volatile boolean paused;

    private long ticks;

    RedisLink(ScriptConnector connector, byte[] probeKey, RedisObserver observer, OutageLog log) {
        this.connector = connector;
        this.probeKey = probeKey;
        this.observer = observer;
        this.log = log;
        clock.scheduleAtFixedRate(this::tick, 0, PROBE_MILLIS, TimeUnit.MILLISECONDS);
    }

    boolean clustered() {
        return connector.clustered();
    }

    /** The connection to use; {@code null} while Redis is left alone. */
    @Nullable
    ScriptConnection connection() {
        return current.get();
    }

    /** Ends a row of failures; only the connection in use can tell that Redis decides again. */
    void succeeded(@Nullable ScriptConnection used) {
        if (failures.get() != 0) {
            failures.set(0);
        }
        if (log.hasWarned() && current.get() == used) {
            log.usedAgain();
        }
    }

    /** Counts a failure on a connection; one that is no longer in use says nothing about the present one. */
    void failed(ScriptConnection used, Throwable cause) {
        lastFailure = cause;
        if (current.get() == used
                && failures.incrementAndGet() >= FAILURES_TO_OPEN
                && current.compareAndSet(used, null)) {
            used.close();
            observer.availabilityChanged(false);
        }
    }

    /** Why there is no {@link #connection}. */
    RedisUnavailableException unavailable() {
        return new RedisUnavailableException(lastFailure);
    }

    /** Waits until Redis can be used, the first attempt failed or the time is over; says whether it can be used. */
    boolean awaitFirstAttempt(Duration atMost) throws InterruptedException {
        firstAttempt.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
        return current.get() != null;
    }

    private void tick() {
        int hanging = attempts.get();
        boolean due = hanging < HANGING_AT_FULL_PACE || hanging < HANGING_AT_MOST && ++ticks % SLOW_PACE == 0;
        if (current.get() == null && due && !closed && !paused) {
            attempts.incrementAndGet();
            connecting.execute(this::attempt);
        }
    }

    private void attempt() {
        try {
            ScriptConnection fresh = connector.connect();
            if (!canWrite(fresh) || !adopt(fresh)) {
                fresh.close();
            }
        } catch (RuntimeException e) {
            // As unreachable as before; whoever asks is told so.
            lastFailure = e;
        } finally {
            attempts.decrementAndGet();
            firstAttempt.countDown();
        }
    }

    private boolean canWrite(ScriptConnection fresh) {
        Future<byte[]> answer = fresh.eval(PROBE, new byte[][] {probeKey});
        try {
            answer.get(PROBE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            answer.cancel(true);
            lastFailure = e;
            return false;
        }
    }

    /** Says whether this link has the connection; who closes or pauses meanwhile finds it here or is seen here. */
    boolean adopt(ScriptConnection fresh) {
        if (!current.compareAndSet(null, fresh)) {
            return false;
        }
        if (closed || paused) {
            return !current.compareAndSet(fresh, null);
        }
        failures.set(0);
        observer.availabilityChanged(true);
        log.usedAgain();
        return true;
    }

    /** Closes the connection and opens no other. */
    void pause() {
        paused = true;
        closeCurrent();
    }

    void resume() {
        paused = false;
    }

    @Override
    public void close() {
        closed = true;
        clock.shutdownNow();
        connecting.shutdownNow();
        closeCurrent();
    }

    /** The application's client, which is likely to go next, warns of connections that are still closing. */
    private void closeCurrent() {
        ScriptConnection last = current.getAndSet(null);
        if (last != null) {
            try {
                last.close().get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (ExecutionException | TimeoutException e) {
                // It is of no use any more, closed or not.
            }
        }
    }

    private static ThreadFactory daemon(String name) {
        return task -> {
            Thread thread = new Thread(task, "ratelimit-redis-" + name);
            thread.setDaemon(true);
            return thread;
        };
    }
}
