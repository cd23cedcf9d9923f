package io.ratelimit.benchmarks;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Entry point: {@code java -cp ... io.ratelimit.benchmarks.Benchmarks <name> [quick] [charts=<folder>]}. Each name prints one Markdown
 * table. With {@code quick} it runs for seconds, to see that it works; its numbers then mean nothing.
 */
public final class Benchmarks {

    /** A program that measures and prints. */
    @FunctionalInterface
    interface Program {
        void run(Report report) throws Exception;
    }

    private static final Map<String, Program> PROGRAMS = new TreeMap<>(Map.of(
            "memory", MemoryTable::run,
            "heap", HeapTable::run,
            "sweep", SweepTable::run,
            "accuracy", AccuracyTable::run,
            "redis", RedisTable::run,
            "http", HttpTable::run));

    private static final String CHARTS = "charts=";

    private Benchmarks() {}

    /**
     * Runs a benchmark.
     *
     * @param arguments the name, then optionally "quick" and the folder for charts
     * @throws Exception if the benchmark fails
     */
    public static void main(String[] arguments) throws Exception {
        Program program = arguments.length == 0 ? null : PROGRAMS.get(arguments[0]);
        if (program == null) {
            System.err.printf("unknown benchmark %s; use one of %s%n", Arrays.toString(arguments), PROGRAMS.keySet());
            System.exit(2);
            return;
        }
        Machine.print();
        program.run(new Report(Arrays.asList(arguments).contains("quick"), charts(arguments)));
    }

    private static @Nullable Path charts(String[] arguments) {
        return Arrays.stream(arguments)
                .filter(argument -> argument.startsWith(CHARTS))
                .map(argument -> Path.of(argument.substring(CHARTS.length())))
                .findFirst()
                .orElse(null);
    }
}
