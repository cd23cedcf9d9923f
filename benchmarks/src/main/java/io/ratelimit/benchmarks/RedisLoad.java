package io.ratelimit.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Many threads that ask one contestant as fast as it answers, for a fixed time. */
final class RedisLoad {

    /**
     * What was measured.
     *
     * @param perSecond decisions per second over all threads
     * @param cpuMicros time of Redis' processor per decision
     * @param clientCpuMicros processor time of this process per decision
     * @param commands commands that Redis executed per decision, those inside scripts included
     * @param nanos times of the single decisions
     */
    record Result(double perSecond, double cpuMicros, double clientCpuMicros, double commands, Histogram nanos) {}

    private RedisLoad() {}

    static Result run(RedisContestant contestant, RedisServerProcess redis, String[] keys, int threads, long millis)
            throws InterruptedException, ExecutionException {
        RedisServerProcess.Usage before = redis.usage();
        long clientBefore = clientCpuNanos();
        Histogram nanos = drive(contestant, keys, threads, millis);
        long clientAfter = clientCpuNanos();
        RedisServerProcess.Usage after = redis.usage();
        long decisions = nanos.getTotalCount();
        return new Result(
                decisions * 1000.0 / millis,
                (after.cpuSeconds() - before.cpuSeconds()) * 1e6 / decisions,
                (clientAfter - clientBefore) / 1e3 / decisions,
                (double) (after.commands() - before.commands()) / decisions,
                nanos);
    }

    private static long clientCpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static Histogram drive(RedisContestant contestant, String[] keys, int threads, long millis)
            throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long end = System.nanoTime() + millis * 1_000_000;
            List<Future<Histogram>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                long seed = i;
                parts.add(pool.submit(() -> loop(contestant, keys, seed, end)));
            }
            Histogram sum = new Histogram(3);
            for (Future<Histogram> part : parts) {
                sum.add(part.get());
            }
            return sum;
        } finally {
            pool.shutdownNow();
        }
    }

    private static Histogram loop(RedisContestant contestant, String[] keys, long seed, long end) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        Histogram histogram = new Histogram(3);
        long started = System.nanoTime();
        while (started < end) {
            contestant.tryAcquire(keys[random.nextInt(keys.length)]);
            long finished = System.nanoTime();
            histogram.recordValue(finished - started);
            started = finished;
        }
        return histogram;
    }
}
