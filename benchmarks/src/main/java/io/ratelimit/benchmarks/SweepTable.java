package io.ratelimit.benchmarks;

import io.ratelimit.core.Acquisition.Mode;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import io.ratelimit.memory.MemoryBackend;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * How long decisions take while a million idle keys are swept, in turn with the time while none is, and with a thread that does
 * nothing but read the clock: what that waits for is the machine's doing. Pauses during which a collector ran are the
 * collector's.
 */
final class SweepTable {

    private static final int ROUNDS = 5;

    private static final long DRIVE_MILLIS = 6_000;

    private static final Duration UNTIL_IDLE = Duration.ofSeconds(1);

    private static final long LONG_NANOS = 1_000_000;

    /** How often to look whether a collector ran. */
    private static final int STEPS_BETWEEN_LOOKS = 512;

    /** What one of the three waited for, over all rounds. */
    private static final class Row {

        private final String label;

        private final Histogram nanos = new Histogram(3);

        private final List<String> worstMicros = new ArrayList<>();

        private int longByCollector;

        private int longByOthers;

        Row(String label) {
            this.label = label;
        }

        void addTo(MarkdownTable table) {
            table.row(
                    label,
                    "%,d".formatted(nanos.getTotalCount()),
                    nanos.getValueAtPercentile(50),
                    nanos.getValueAtPercentile(99.9),
                    nanos.getValueAtPercentile(99.999),
                    String.join(" / ", worstMicros),
                    longByCollector,
                    longByOthers);
        }
    }

    private SweepTable() {}

    static void run(Report report) {
        int keys = report.quick() ? 10_000 : 1_000_000;
        long millis = report.quick() ? 50 : DRIVE_MILLIS;
        Row clock = new Row("nothing but reading the clock");
        Row still = new Row("decisions, nothing to sweep");
        Row swept = new Row("decisions, %,d keys turning idle and swept".formatted(keys));
        for (int round = 0; round < (report.quick() ? 1 : ROUNDS); round++) {
            drive(clock, millis, () -> {});
            decide(still, 0, millis);
            decide(swept, keys, millis);
        }
        MarkdownTable table = new MarkdownTable(
                "time of one",
                "count",
                "p50 ns",
                "p99.9 ns",
                "p99.999 ns",
                "worst of each round, µs",
                "over 1 ms, collector ran",
                "over 1 ms, else");
        List.of(clock, still, swept).forEach(row -> row.addTo(table));
        report.table(table);
    }

    private static void decide(Row row, int idleKeys, long millis) {
        Policy brief = Policy.of("brief", Limit.of(Algorithm.TOKEN_BUCKET, 1_000_000, UNTIL_IDLE));
        Policy busy = Policy.of("busy", Limit.of(Algorithm.TOKEN_BUCKET, 1_000_000_000, Duration.ofMinutes(1)));
        try (MemoryBackend backend = new MemoryBackend(TimeSource.system(), 2_000_000)) {
            String[] hot = Workload.keys(1_000);
            SplittableRandom random = new SplittableRandom(1);
            Runnable decision = () -> backend.acquire(busy, hot[random.nextInt(hot.length)], 1, Mode.SPEND);
            drive(new Row("warm-up"), millis / 6, decision);
            for (int i = 0; i < idleKeys; i++) {
                backend.acquire(brief, Workload.key(i), 1_000_000, Mode.SPEND);
            }
            // States that turn idle are old: without this the collector would move a million new ones meanwhile.
            System.gc();
            drive(row, millis, decision);
            if (backend.keys() > hot.length && millis == DRIVE_MILLIS) {
                throw new IllegalStateException("%,d keys were not swept".formatted(backend.keys() - hot.length));
            }
        }
    }

    private static void drive(Row row, long millis, Runnable step) {
        long worst = 0;
        long collections = collections();
        long end = System.nanoTime() + millis * 1_000_000;
        long started = System.nanoTime();
        for (int i = 1; started < end; i++) {
            step.run();
            long finished = System.nanoTime();
            long took = finished - started;
            row.nanos.recordValue(took);
            worst = Math.max(worst, took);
            if (took > LONG_NANOS && collections() > collections) {
                row.longByCollector++;
            } else if (took > LONG_NANOS) {
                row.longByOthers++;
            }
            if (took > LONG_NANOS || i % STEPS_BETWEEN_LOOKS == 0) {
                collections = collections();
                finished = System.nanoTime();
            }
            started = finished;
        }
        row.worstMicros.add("%.0f".formatted(worst / 1e3));
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
