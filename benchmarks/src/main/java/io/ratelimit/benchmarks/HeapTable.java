package io.ratelimit.benchmarks;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.openjdk.jol.info.GraphLayout;

/** Heap per tracked key: the growth of the live heap over many keys, each contestant in a JVM of its own. */
final class HeapTable {

    private static final int KEYS = 500_000;

    private static final int JOL_KEYS = 10_000;

    /** Permits per hour: so few that no state turns idle, and is forgotten, while it is measured. */
    private static final long FEW = 10;

    /** Bytes per key, by the growth of the live heap and as JOL counts them. */
    private record PerKey(double liveHeap, double jol) {

        static PerKey of(Contestant.Kind kind, int keys, int jolKeys) {
            return new PerKey(grow(kind, keys), jolBytesPerKey(kind, jolKeys));
        }
    }

    private HeapTable() {}

    static void run(Report report) throws IOException, InterruptedException {
        // JOL asks for the fields of lambdas and records, which Java shows to it only in this way.
        System.setProperty("jol.magicFieldOffset", "true");
        double floor = 0;
        MarkdownTable table = new MarkdownTable("heap per key", "B (live heap)", "of floor", "B (JOL)");
        BarChart chart = new BarChart("Heap for each tracked key (shorter is better)", "%.0f B");
        for (Contestant.Kind kind : Contestant.Kind.values()) {
            PerKey bytes = report.quick() ? PerKey.of(kind, 10_000, 100) : inOwnJvm(kind);
            floor = kind == Contestant.Kind.FLOOR ? bytes.liveHeap : floor;
            table.row(
                    kind.label(),
                    "%.1f".formatted(bytes.liveHeap),
                    "%.2f".formatted(bytes.liveHeap / floor),
                    "%.1f".formatted(bytes.jol));
            chart.bar(kind.label(), bytes.liveHeap);
        }
        report.table(table);
        report.chart("heap", chart);
    }

    /** Prints the bytes per key of one contestant: what the own JVM runs. */
    public static void main(String[] arguments) {
        PerKey bytes = PerKey.of(Contestant.Kind.valueOf(arguments[0]), KEYS, JOL_KEYS);
        System.out.println(bytes.liveHeap + " " + bytes.jol);
    }

    private static PerKey inOwnJvm(Contestant.Kind kind) throws IOException, InterruptedException {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        Process process = new ProcessBuilder(List.of(
                        java,
                        "-Xms3g",
                        "-Xmx3g",
                        "-XX:+UseParallelGC",
                        "-XX:TLABSize=32k",
                        "-XX:-ResizeTLAB",
                        "-Djol.magicFieldOffset=true",
                        "--add-exports=java.base/jdk.internal.vm.annotation=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeapTable.class.getName(),
                        kind.name()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException("the JVM for %s ended with %d".formatted(kind, process.exitValue()));
        }
        String[] numbers =
                output.lines().reduce((first, last) -> last).orElseThrow().split(" ");
        return new PerKey(Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1]));
    }

    private static double grow(Contestant.Kind kind, int keys) {
        Contestant limiter = kind.create(FEW);
        limiter.tryAcquire("warm-up-key!");
        liveBytes();
        long before = liveBytes();
        for (int i = 0; i < keys; i++) {
            limiter.tryAcquire(Workload.key(i));
        }
        double perKey = (double) (liveBytes() - before) / keys;
        // Also keeps the limiter reachable until here.
        limiter.tryAcquire("warm-up-key!");
        return perKey;
    }

    /** Returns what JOL counts per key; it walks the object graph, so the number of keys is small. */
    private static double jolBytesPerKey(Contestant.Kind kind, int keys) {
        Contestant limiter = kind.create(FEW);
        limiter.tryAcquire("warm-up-key!");
        long before = GraphLayout.parseInstance(limiter).totalSize();
        for (int i = 0; i < keys; i++) {
            limiter.tryAcquire(Workload.key(i));
        }
        return (double) (GraphLayout.parseInstance(limiter).totalSize() - before) / keys;
    }

    private static long liveBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
