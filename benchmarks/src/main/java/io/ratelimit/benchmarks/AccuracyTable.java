package io.ratelimit.benchmarks;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * How often the sliding counter errs: the same simulated day of traffic decided by it and by the exact log, request by
 * request. See {@link Source} for the traffic.
 */
final class AccuracyTable {

    private static final int SOURCES = 270_000;

    private static final double SMALLEST_DAILY = 245;

    private static final double LARGEST_DAILY = 500_000;

    private static final Duration WINDOW = Duration.ofMinutes(1);

    /** One that refuses a quarter of all requests, and one that most busy sources stay below, as is usual. */
    private static final long[] LIMITS = {60, 1_000};

    private static final Limit COUNTER_RATE = Limit.of(Algorithm.SLIDING_COUNTER, Limit.MAX_LIMIT, WINDOW);

    private static final Limit LOG_RATE = Limit.of(Algorithm.SLIDING_LOG, Limit.MAX_LIMIT, WINDOW);

    /** What was seen of some sources. */
    private record Tally(
            long requests,
            long refusedByLog,
            long wronglyAdmitted,
            long wronglyRefused,
            double rateDifference,
            long limitedSources,
            long falseSources) {

        static final Tally NONE = new Tally(0, 0, 0, 0, 0, 0, 0);

        Tally plus(Tally other) {
            return new Tally(
                    requests + other.requests,
                    refusedByLog + other.refusedByLog,
                    wronglyAdmitted + other.wronglyAdmitted,
                    wronglyRefused + other.wronglyRefused,
                    rateDifference + other.rateDifference,
                    limitedSources + other.limitedSources,
                    falseSources + other.falseSources);
        }
    }

    private AccuracyTable() {}

    static void run(Report report) {
        int sources = report.quick() ? 200 : SOURCES;
        List<Tally> sums = new ArrayList<>();
        for (long limit : LIMITS) {
            long started = System.nanoTime();
            Tally sum = LongStream.range(0, sources)
                    .parallel()
                    .mapToObj(seed -> simulate(seed, limit))
                    .reduce(Tally.NONE, Tally::plus);
            double seconds = (System.nanoTime() - started) / 1e9;
            System.out.printf(
                    "%,d requests of %,d sources in %.0f s: %,.0f decisions a second%n%n",
                    sum.requests(), sources, seconds, 4 * sum.requests() / seconds);
            sums.add(sum);
        }
        print(report, sums, sources);
    }

    private static Tally simulate(long seed, long limit) {
        Limit counterLimit = Limit.of(Algorithm.SLIDING_COUNTER, limit, WINDOW);
        Limit logLimit = Limit.of(Algorithm.SLIDING_LOG, limit, WINDOW);
        Source source = new Source(seed, SMALLEST_DAILY, LARGEST_DAILY);
        LimitState counter = LimitState.fresh(counterLimit);
        LimitState log = LimitState.fresh(logLimit);
        LimitState counterRate = LimitState.fresh(COUNTER_RATE);
        LimitState logRate = LimitState.fresh(LOG_RATE);
        long requests = 0;
        long refusedByLog = 0;
        long refusedByCounter = 0;
        long wronglyAdmitted = 0;
        long wronglyRefused = 0;
        double rateDifference = 0;
        for (long now = source.next(); now >= 0; now = source.next()) {
            boolean right = admit(log, logLimit, now);
            boolean estimated = admit(counter, counterLimit, now);
            requests++;
            refusedByLog += right ? 0 : 1;
            refusedByCounter += estimated ? 0 : 1;
            wronglyAdmitted += estimated && !right ? 1 : 0;
            wronglyRefused += right && !estimated ? 1 : 0;
            rateDifference += difference(rate(counterRate, COUNTER_RATE, now), rate(logRate, LOG_RATE, now));
        }
        return new Tally(
                requests,
                refusedByLog,
                wronglyAdmitted,
                wronglyRefused,
                rateDifference,
                refusedByLog > 0 ? 1 : 0,
                refusedByLog == 0 && refusedByCounter > 0 ? 1 : 0);
    }

    private static boolean admit(LimitState state, Limit limit, long now) {
        boolean admitted = state.remaining(limit, now) >= 1;
        if (admitted) {
            state.charge(limit, now, 1);
        }
        return admitted;
    }

    /** Counts this request, too, and returns how many came within the window. */
    private static long rate(LimitState state, Limit limit, long now) {
        state.charge(limit, now, 1);
        return Limit.MAX_LIMIT - state.remaining(limit, now);
    }

    private static double difference(long estimate, long exact) {
        return Math.abs(estimate - exact) / (double) exact;
    }

    private static void print(Report report, List<Tally> sums, int sources) {
        List<String> columns = new ArrayList<>(List.of("sliding counter against the exact log"));
        for (long limit : LIMITS) {
            columns.add("here, limit %,d a minute".formatted(limit));
        }
        columns.add("published by Cloudflare");
        MarkdownTable table = new MarkdownTable(columns.toArray(String[]::new));
        row(table, "requests", sums, sum -> "%,d".formatted(sum.requests()), "400,000,000");
        row(table, "sources", sums, sum -> "%,d".formatted(sources), "270,000");
        row(table, "requests refused by the log", sums, sum -> share(sum.refusedByLog(), sum), "-");
        row(table, "wrong decisions", sums, sum -> share(sum.wronglyAdmitted() + sum.wronglyRefused(), sum), "0.003 %");
        row(table, "... wrongly admitted", sums, sum -> share(sum.wronglyAdmitted(), sum), "-");
        row(table, "... wrongly refused", sums, sum -> share(sum.wronglyRefused(), sum), "-");
        row(
                table,
                "average difference of the rate",
                sums,
                sum -> "%.1f %%".formatted(100 * sum.rateDifference() / sum.requests()),
                "6 %");
        row(table, "sources that the log limits", sums, sum -> "%,d".formatted(sum.limitedSources()), "-");
        row(table, "sources limited by the counter only", sums, sum -> "%,d".formatted(sum.falseSources()), "3");
        report.table(table);
    }

    private static void row(
            MarkdownTable table, String label, List<Tally> sums, Function<Tally, String> value, String published) {
        List<String> cells = new ArrayList<>(List.of(label));
        sums.forEach(sum -> cells.add(value.apply(sum)));
        cells.add(published);
        table.row(cells.toArray());
    }

    private static String share(long part, Tally sum) {
        return "%.4f %%".formatted(100.0 * part / sum.requests());
    }
}
