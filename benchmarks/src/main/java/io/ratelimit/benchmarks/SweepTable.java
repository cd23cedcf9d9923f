package io.ratelimit.benchmarks;

import io.ratelimit.core.Acquisition.Mode;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import io.ratelimit.memory.MemoryBackend;
import java.time.Duration;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/** How long decisions take while a million idle keys are swept, beside the time while none is. */
final class SweepTable {

    private static final long DRIVE_MILLIS = 5_000;

    private SweepTable() {}

    static void run(Report report) {
        boolean quick = report.quick();
        int keys = quick ? 10_000 : 1_000_000;
        long millis = quick ? 100 : DRIVE_MILLIS;
        MarkdownTable table =
                new MarkdownTable("decisions", "count", "p50 ns", "p99.9 ns", "p99.999 ns", "worst µs", "keys after");
        measure(table, "nothing to sweep", 0, millis);
        measure(table, "%,d keys turning idle and swept".formatted(keys), keys, millis);
        report.table(table);
    }

    private static void measure(MarkdownTable table, String label, int idleKeys, long millis) {
        Policy brief = Policy.of("brief", Limit.of(Algorithm.TOKEN_BUCKET, 1_000_000, Duration.ofSeconds(3)));
        Policy busy = Policy.of("busy", Limit.of(Algorithm.TOKEN_BUCKET, 1_000_000_000, Duration.ofMinutes(1)));
        try (MemoryBackend backend = new MemoryBackend(TimeSource.system(), 2_000_000)) {
            String[] hot = Workload.keys(1_000);
            drive(backend, busy, hot, millis / 5);
            for (int i = 0; i < idleKeys; i++) {
                backend.acquire(brief, Workload.key(i), 1_000_000, Mode.SPEND);
            }
            // States that turn idle are old: without this the collector would move a million new ones meanwhile.
            System.gc();
            Histogram histogram = drive(backend, busy, hot, millis);
            table.row(
                    label,
                    "%,d".formatted(histogram.getTotalCount()),
                    histogram.getValueAtPercentile(50),
                    histogram.getValueAtPercentile(99.9),
                    histogram.getValueAtPercentile(99.999),
                    "%.0f".formatted(histogram.getMaxValue() / 1e3),
                    backend.size());
        }
    }

    private static Histogram drive(MemoryBackend backend, Policy policy, String[] keys, long millis) {
        SplittableRandom random = new SplittableRandom(1);
        Histogram histogram = new Histogram(3);
        long end = System.nanoTime() + millis * 1_000_000;
        long started = System.nanoTime();
        while (started < end) {
            backend.acquire(policy, keys[random.nextInt(keys.length)], 1, Mode.SPEND);
            long finished = System.nanoTime();
            histogram.recordValue(finished - started);
            started = finished;
        }
        return histogram;
    }
}
