package io.ratelimit.redis;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Threads that ask without end, and what they saw. */
final class Load implements AutoCloseable {

    private static final long PAUSE_NANOS = 1_000_000;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final List<Future<?>> running = new ArrayList<>();

    private final Queue<Long> nanos = new ConcurrentLinkedQueue<>();

    private volatile boolean stopped;

    private Load() {}

    static Load on(RedisBackend backend, Policy policy, int threads) {
        Load load = new Load();
        for (int i = 0; i < threads; i++) {
            String key = "client-" + i;
            load.running.add(load.threads.submit(() -> load.ask(backend, policy, key)));
        }
        return load;
    }

    private void ask(RedisBackend backend, Policy policy, String key) {
        while (!stopped) {
            long start = System.nanoTime();
            backend.acquire(policy, key, 1, Acquisition.Mode.SPEND);
            nanos.add(System.nanoTime() - start);
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Forgets the times measured so far. */
    void measureFromNow() {
        nanos.clear();
    }

    int asked() {
        return nanos.size();
    }

    /** Stops asking; fails if any request ended with an exception. */
    Times stop() {
        stopped = true;
        try {
            for (Future<?> one : running) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new AssertionError("a request failed", e.getCause());
        }
        return new Times(nanos.stream().mapToLong(Long::longValue).sorted().toArray());
    }

    @Override
    public void close() {
        stopped = true;
        threads.shutdownNow();
    }

    /** How long decisions took, ascending. */
    record Times(long[] nanos) {

        double millis(double percentile) {
            return nanos.length == 0
                    ? 0
                    : nanos[(int) Math.min(nanos.length - 1, nanos.length * percentile / 100)] / 1e6;
        }

        @Override
        public String toString() {
            return "%d decisions, p50 %.2f ms, p99 %.1f ms, p99.9 %.1f ms, worst %.1f ms"
                    .formatted(nanos.length, millis(50), millis(99), millis(99.9), millis(100));
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Times times && Arrays.equals(nanos, times.nanos);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(nanos);
        }
    }
}
