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

    private HeapTable() {}

    static void run(boolean quick) throws IOException, InterruptedException {
        double floor = 0;
        MarkdownTable table = new MarkdownTable("heap per key", "B (live heap)", "of floor");
        for (Contestant.Kind kind : Contestant.Kind.values()) {
            double bytes = quick ? grow(kind, 10_000) : inOwnJvm(kind);
            floor = kind == Contestant.Kind.FLOOR ? bytes : floor;
            table.row(kind.label(), "%.1f".formatted(bytes), "%.2f".formatted(bytes / floor));
        }
        System.out.println(table);
    }

    /** Prints the bytes per key of one contestant: what the own JVM runs. */
    public static void main(String[] arguments) {
        System.out.println(grow(Contestant.Kind.valueOf(arguments[0]), KEYS));
    }

    private static double inOwnJvm(Contestant.Kind kind) throws IOException, InterruptedException {
        String java = System.getProperty("java.home") + File.separator + "bin" + File.separator + "java";
        Process process = new ProcessBuilder(List.of(
                        java,
                        "-Xms3g",
                        "-Xmx3g",
                        "-XX:+UseParallelGC",
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
        return Double.parseDouble(output.strip());
    }

    private static double grow(Contestant.Kind kind, int keys) {
        Contestant limiter = kind.create();
        limiter.tryAcquire("warm-up-key!");
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
    static double jolBytesPerKey(Contestant.Kind kind) {
        Contestant limiter = kind.create();
        limiter.tryAcquire("warm-up-key!");
        long before = GraphLayout.parseInstance(limiter).totalSize();
        for (int i = 0; i < JOL_KEYS; i++) {
            limiter.tryAcquire(Workload.key(i));
        }
        return (double) (GraphLayout.parseInstance(limiter).totalSize() - before) / JOL_KEYS;
    }

    private static long liveBytes() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < 4; i++) {
            System.gc();
        }
        return memory.getHeapMemoryUsage().getUsed();
    }
}
