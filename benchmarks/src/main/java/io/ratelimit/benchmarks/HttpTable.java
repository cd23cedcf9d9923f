package io.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whole requests: the sample app under wrk with the limiter on and off, and a small application with Bucket4j's starter
 * likewise. Each variant runs several times in turn; the table shows medians.
 */
final class HttpTable {

    private static final Pattern REQUESTS = Pattern.compile("Requests/sec:\\s+([\\d.]+)");

    private static final Path SAMPLE = Path.of("sample-app/target/sample-app-0.1.0-SNAPSHOT.jar");

    private static final Path PEER = Path.of("benchmarks/peer-bucket4j/target/peer-bucket4j-0.1.0-SNAPSHOT.jar");

    private static final String PATH = "/shop/reviews";

    /** One way to run an application. */
    private record Variant(String label, Path jar, List<String> arguments, String path, int status) {}

    private HttpTable() {}

    static void run(Report report) throws IOException, InterruptedException {
        int rounds = report.quick() ? 1 : 3;
        String duration = report.quick() ? "1s" : "8s";
        try (RedisServerProcess redis = new RedisServerProcess()) {
            run(report, rounds, duration, redis.port());
        }
    }

    private static void run(Report report, int rounds, String duration, int redis)
            throws IOException, InterruptedException {
        Map<Variant, List<Double>> perSecond = new LinkedHashMap<>();
        Map<Variant, List<Double>> startup = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (Variant variant : variants(redis)) {
                try (Application application = Application.start(variant.jar(), variant.arguments())) {
                    requireStatus(application, variant);
                    wrk(application.url(variant.path()), duration);
                    add(perSecond, variant, wrk(application.url(variant.path()), duration));
                    add(startup, variant, application.startupSeconds());
                }
            }
        }
        print(report, perSecond, startup);
    }

    private static List<Variant> variants(int redis) {
        List<Variant> variants = new ArrayList<>(List.of(
                new Variant("sample app, limiter off", SAMPLE, List.of("--ratelimit.enabled=false"), PATH, 200),
                new Variant("sample app, one rule, all admitted", SAMPLE, rule(1_000_000_000), PATH, 200),
                new Variant("sample app, one rule, all refused", SAMPLE, rule(0), PATH, 429),
                new Variant(
                        "sample app on Redis, all admitted", SAMPLE, onRedis(redis, rule(1_000_000_000)), PATH, 200),
                new Variant("sample app on Redis, all refused", SAMPLE, onRedis(redis, rule(0)), PATH, 429)));
        if (Files.exists(PEER)) {
            String path = "/shop/products";
            variants.add(new Variant(
                    "Bucket4j's starter, limiter off", PEER, List.of("--bucket4j.enabled=false"), path, 200));
            variants.add(new Variant("Bucket4j's starter, all admitted", PEER, List.of(), path, 200));
        }
        return variants;
    }

    private static List<String> rule(long limit) {
        return List.of(
                "--ratelimit.rules[0].name=benchmark",
                "--ratelimit.rules[0].paths[0]=" + PATH,
                "--ratelimit.rules[0].limit=" + limit,
                "--ratelimit.rules[0].window=1m");
    }

    private static List<String> onRedis(int port, List<String> arguments) {
        List<String> all = new ArrayList<>(arguments);
        all.add("--spring.profiles.active=redis");
        all.add("--spring.data.redis.host=127.0.0.1");
        all.add("--spring.data.redis.port=" + port);
        return all;
    }

    private static void requireStatus(Application application, Variant variant)
            throws IOException, InterruptedException {
        int status = application.status(variant.path());
        if (status != variant.status()) {
            throw new IllegalStateException(
                    "%s answered %d instead of %d".formatted(variant.label(), status, variant.status()));
        }
    }

    private static double wrk(String url, String duration) throws IOException, InterruptedException {
        Process wrk = new ProcessBuilder("wrk", "-t1", "-c16", "-d" + duration, url)
                .redirectErrorStream(true)
                .start();
        String output = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher matcher = REQUESTS.matcher(output);
        if (wrk.waitFor() != 0 || !matcher.find()) {
            throw new IllegalStateException("wrk failed:\n" + output);
        }
        return Double.parseDouble(matcher.group(1));
    }

    private static void print(Report report, Map<Variant, List<Double>> perSecond, Map<Variant, List<Double>> startup) {
        BarChart chart = new BarChart("Requests per second of the whole application (longer is better)", "%,.0f");
        MarkdownTable table =
                new MarkdownTable("whole requests", "requests/s", "of its own off", "start-up s", "of its own off");
        Map<Path, Variant> off = new LinkedHashMap<>();
        for (Variant variant : perSecond.keySet()) {
            Variant base = off.computeIfAbsent(variant.jar(), jar -> variant);
            double speed = median(perSecond.get(variant));
            double start = median(startup.get(variant));
            chart.bar(variant.label(), speed);
            table.row(
                    variant.label(),
                    "%.0f".formatted(speed),
                    "%.2f".formatted(speed / median(perSecond.get(base))),
                    "%.2f".formatted(start),
                    "%.2f".formatted(start / median(startup.get(base))));
        }
        report.table(table);
        report.chart("http", chart);
    }

    private static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    private static void add(Map<Variant, List<Double>> map, Variant variant, double value) {
        map.computeIfAbsent(variant, missing -> new ArrayList<>()).add(value);
    }
}
