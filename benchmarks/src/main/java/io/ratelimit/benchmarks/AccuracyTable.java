package io.ratelimit.benchmarks;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitState;
import java.time.Duration;
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

    private static final Limit COUNTER = Limit.of(Algorithm.SLIDING_COUNTER, 60, WINDOW);

    private static final Limit LOG = Limit.of(Algorithm.SLIDING_LOG, 60, WINDOW);

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
        long started = System.nanoTime();
        Tally sum = LongStream.range(0, sources)
                .parallel()
                .mapToObj(AccuracyTable::simulate)
                .reduce(Tally.NONE, Tally::plus);
        print(report, sum, sources, (System.nanoTime() - started) / 1e9);
    }

    private static Tally simulate(long seed) {
        Source source = new Source(seed, SMALLEST_DAILY, LARGEST_DAILY);
        LimitState counter = LimitState.fresh(COUNTER);
        LimitState log = LimitState.fresh(LOG);
        LimitState counterRate = LimitState.fresh(COUNTER_RATE);
        LimitState logRate = LimitState.fresh(LOG_RATE);
        long requests = 0;
        long refusedByLog = 0;
        long refusedByCounter = 0;
        long wronglyAdmitted = 0;
        long wronglyRefused = 0;
        double rateDifference = 0;
        for (long now = source.next(); now >= 0; now = source.next()) {
            boolean right = admit(log, LOG, now);
            boolean estimated = admit(counter, COUNTER, now);
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

    private static void print(Report report, Tally sum, int sources, double seconds) {
        long wrong = sum.wronglyAdmitted() + sum.wronglyRefused();
        System.out.printf(
                "%,d requests of %,d sources in %.0f s: %,.0f decisions a second%n%n",
                sum.requests(), sources, seconds, 4 * sum.requests() / seconds);
        report.table(new MarkdownTable("sliding counter against the exact log", "here", "published by Cloudflare")
                .row("requests", "%,d".formatted(sum.requests()), "400,000,000")
                .row("sources", "%,d".formatted(sources), "270,000")
                .row("requests refused by the log", share(sum.refusedByLog(), sum.requests()), "-")
                .row("wrong decisions", share(wrong, sum.requests()), "0.003 %")
                .row("... wrongly admitted", share(sum.wronglyAdmitted(), sum.requests()), "-")
                .row("... wrongly refused", share(sum.wronglyRefused(), sum.requests()), "-")
                .row(
                        "average difference of the rate",
                        "%.1f %%".formatted(100 * sum.rateDifference() / sum.requests()),
                        "6 %")
                .row("sources that the log limits", "%,d".formatted(sum.limitedSources()), "-")
                .row("sources limited by the counter only", "%,d".formatted(sum.falseSources()), "3"));
    }

    private static String share(long part, long whole) {
        return "%.4f %%".formatted(100.0 * part / whole);
    }
}
