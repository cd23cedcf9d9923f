package io.ratelimit.benchmarks;

import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Time and allocation of one decision in memory, beside floor and peers. All are measured several times in turn; a ratio is the
 * median of those to the floor of the same round, since the machine's caches are not always as free.
 */
final class MemoryTable {

    /** One column of the table. */
    private record Column(Workload workload, int threads) {
        String label() {
            return "%s, %d thread%s".formatted(workload.label(), threads, threads == 1 ? "" : "s");
        }

        String name() {
            return "%s-%d".formatted(workload.name().toLowerCase(Locale.ROOT), threads);
        }
    }

    private static final int ROUNDS = 3;

    /** What was measured of one contestant in one column. */
    private static final class Cell {

        private final Median nanos = new Median();

        private final Median ofFloor = new Median();

        private final Median bytes = new Median();

        double nanos() {
            return nanos.value();
        }
    }

    private static final Column[] COLUMNS = {
        new Column(Workload.HOT, 1),
        new Column(Workload.UNIFORM, 1),
        new Column(Workload.HOT, 2),
        new Column(Workload.HOT, 64),
        new Column(Workload.ZIPF, 1),
        new Column(Workload.ZIPF, 2),
    };

    private MemoryTable() {}

    static void run(Report report) throws RunnerException {
        boolean quick = report.quick();
        Map<Column, Map<Contestant.Kind, Cell>> cells = new LinkedHashMap<>();
        for (Column column : COLUMNS) {
            if (!quick || column.equals(COLUMNS[0])) {
                cells.put(column, measure(column, quick));
                report.table(table(column, cells.get(column)));
                report.chart("memory-" + column.name(), chart(column, cells.get(column)));
            }
        }
        if (!quick) {
            report.table(scaling(cells.get(new Column(Workload.HOT, 2)), cells.get(new Column(Workload.HOT, 64))));
        }
    }

    private static MarkdownTable scaling(Map<Contestant.Kind, Cell> two, Map<Contestant.Kind, Cell> many) {
        MarkdownTable table = new MarkdownTable("one hot key", "throughput at 64 threads over that at 2");
        two.forEach((kind, cell) -> {
            double ratio = 64 / many.get(kind).nanos() / (2 / cell.nanos());
            table.row(kind.label(), "%.2f".formatted(ratio));
        });
        return table;
    }

    private static Map<Contestant.Kind, Cell> measure(Column column, boolean quick) throws RunnerException {
        Map<Contestant.Kind, Cell> cells = new EnumMap<>(Contestant.Kind.class);
        for (int round = 0; round < (quick ? 1 : ROUNDS); round++) {
            add(new Runner(options(column, quick)).run(), cells);
        }
        return cells;
    }

    private static Options options(Column column, boolean quick) {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include(MemoryBenchmark.class.getName())
                .param("workload", column.workload().name())
                .param("contestant", names())
                .threads(column.threads())
                .verbosity(VerboseMode.SILENT)
                .addProfiler(GCProfiler.class);
        if (quick) {
            options.forks(0).warmupIterations(0).measurementIterations(1).measurementTime(TimeValue.milliseconds(20));
        }
        return options.build();
    }

    private static String[] names() {
        Contestant.Kind[] kinds = Contestant.Kind.values();
        String[] names = new String[kinds.length];
        for (int i = 0; i < kinds.length; i++) {
            names[i] = kinds[i].name();
        }
        return names;
    }

    private static void add(Collection<RunResult> round, Map<Contestant.Kind, Cell> cells) {
        Map<Contestant.Kind, RunResult> results = new EnumMap<>(Contestant.Kind.class);
        for (RunResult result : round) {
            results.put(Contestant.Kind.valueOf(result.getParams().getParam("contestant")), result);
        }
        double floor = nanos(results.get(Contestant.Kind.FLOOR));
        results.forEach((kind, result) -> {
            Cell cell = cells.computeIfAbsent(kind, missing -> new Cell());
            cell.nanos.add(nanos(result));
            cell.ofFloor.add(nanos(result) / floor);
            cell.bytes.add(bytes(result));
        });
    }

    /** How long one thread takes for a decision while as many run as do. */
    private static double nanos(RunResult result) {
        double decisionsPerNano =
                result.getAggregatedResult().getPrimaryResult().getStatistics().getPercentile(50);
        return result.getParams().getThreads() / decisionsPerNano;
    }

    private static double bytes(RunResult result) {
        return result.getSecondaryResults().entrySet().stream()
                .filter(entry -> entry.getKey().endsWith("gc.alloc.rate.norm"))
                .mapToDouble(entry -> entry.getValue().getScore())
                .findFirst()
                .orElse(Double.NaN);
    }

    private static MarkdownTable table(Column column, Map<Contestant.Kind, Cell> cells) {
        MarkdownTable table = new MarkdownTable(column.label(), "ns", "of floor", "B allocated");
        cells.forEach((kind, cell) -> table.row(
                kind.label(),
                "%.1f".formatted(cell.nanos()),
                "%.2f".formatted(cell.ofFloor.value()),
                "%.0f".formatted(cell.bytes.value())));
        return table;
    }

    private static BarChart chart(Column column, Map<Contestant.Kind, Cell> cells) {
        BarChart chart =
                new BarChart("One decision in memory, %s (shorter is better)".formatted(column.label()), "%.0f ns");
        cells.forEach((kind, cell) -> chart.bar(kind.label(), cell.nanos()));
        return chart;
    }
}
