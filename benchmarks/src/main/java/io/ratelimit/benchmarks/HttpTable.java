package io.ratelimit.benchmarks;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Whole requests: the sample app under wrk with the limiter on and off, and a small application with Bucket4j's starter
 * likewise. All run side by side; once they are warm, each is loaded in turn, round after round, and is compared with
 * its own application without limiter in the same round. The table shows medians of the rounds.
 */
final class HttpTable {

    private static final Pattern REQUESTS = Pattern.compile("(\\d+) requests in ([\\d.]+)s");

    private static final Path SAMPLE = Path.of("sample-app/target/sample-app-0.1.0-SNAPSHOT.jar");

    private static final Path PEER = Path.of("benchmarks/peer-bucket4j/target/peer-bucket4j-0.1.0-SNAPSHOT.jar");

    private static final String PATH = "/shop/reviews";

    private static final String PEER_PATH = "/shop/products";

    /** One way to run an application; the base is the way without limiter, itself for that one. */
    private static final class Variant {

        private final String label;

        private final Path jar;

        private final List<String> arguments;

        private final String path;

        private final int status;

        private final Variant base;

        private final Median perSecond = new Median();

        private final Median speed = new Median();

        private final Median cpuMicros = new Median();

        private final Median cpu = new Median();

        private final Median startup = new Median();

        private double roundPerSecond;

        private double roundCpuMicros;

        Variant(String label, Path jar, List<String> arguments, String path, int status, @Nullable Variant base) {
            this.label = label;
            this.jar = jar;
            this.arguments = arguments;
            this.path = path;
            this.status = status;
            this.base = base == null ? this : base;
        }

        Application start() throws IOException, InterruptedException {
            return Application.start(jar, arguments);
        }

        void load(Application application, String duration) throws IOException, InterruptedException {
            double cpuBefore = application.cpuSeconds();
            Matcher result = wrk(application.url(path), duration);
            double requests = Double.parseDouble(result.group(1));
            roundPerSecond = requests / Double.parseDouble(result.group(2));
            roundCpuMicros = (application.cpuSeconds() - cpuBefore) * 1e6 / requests;
        }

        /** Takes the round into account, once the base has been loaded in it as well. */
        void endRound() {
            perSecond.add(roundPerSecond);
            speed.add(roundPerSecond / base.roundPerSecond);
            cpuMicros.add(roundCpuMicros);
            cpu.add(roundCpuMicros / base.roundCpuMicros);
        }
    }

    private HttpTable() {}

    static void run(Report report) throws IOException, InterruptedException {
        try (RedisServerProcess redis = new RedisServerProcess()) {
            List<Variant> variants = variants(redis.port());
            List<Application> running = new ArrayList<>();
            try {
                for (Variant variant : variants) {
                    Application application = variant.start();
                    running.add(application);
                    requireStatus(application, variant);
                    wrk(application.url(variant.path), report.quick() ? "1s" : "30s");
                }
                for (int round = 0; round < (report.quick() ? 1 : 9); round++) {
                    for (int i = 0; i < variants.size(); i++) {
                        variants.get(i).load(running.get(i), report.quick() ? "1s" : "4s");
                    }
                    variants.forEach(Variant::endRound);
                }
            } finally {
                running.forEach(Application::close);
            }
            for (int round = 0; round < (report.quick() ? 1 : 5); round++) {
                for (Variant variant : variants) {
                    try (Application application = variant.start()) {
                        variant.startup.add(application.startupSeconds());
                    }
                }
            }
            print(report, variants);
        }
    }

    private static List<Variant> variants(int redis) {
        List<String> plenty = rule(1_000_000_000);
        List<Variant> variants = new ArrayList<>();
        Variant off =
                new Variant("sample app, limiter off", SAMPLE, List.of("--ratelimit.enabled=false"), PATH, 200, null);
        variants.add(off);
        variants.add(new Variant("sample app, one rule, all admitted", SAMPLE, plenty, PATH, 200, off));
        variants.add(new Variant("sample app, one rule, all refused", SAMPLE, rule(0), PATH, 429, off));
        Variant offOnRedis = new Variant(
                "sample app with Redis, limiter off",
                SAMPLE,
                onRedis(redis, List.of("--ratelimit.enabled=false")),
                PATH,
                200,
                null);
        variants.add(offOnRedis);
        variants.add(new Variant(
                "sample app on Redis, all admitted", SAMPLE, onRedis(redis, plenty), PATH, 200, offOnRedis));
        variants.add(new Variant(
                "sample app on Redis, all refused", SAMPLE, onRedis(redis, rule(0)), PATH, 429, offOnRedis));
        if (Files.exists(PEER)) {
            Variant peer = new Variant(
                    "Bucket4j's starter, limiter off", PEER, List.of("--bucket4j.enabled=false"), PEER_PATH, 200, null);
            variants.add(peer);
            variants.add(new Variant("Bucket4j's starter, all admitted", PEER, List.of(), PEER_PATH, 200, peer));
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
        int status = application.status(variant.path);
        if (status != variant.status) {
            throw new IllegalStateException(
                    "%s answered %d instead of %d".formatted(variant.label, status, variant.status));
        }
    }

    private static Matcher wrk(String url, String duration) throws IOException, InterruptedException {
        Process wrk = new ProcessBuilder("wrk", "-t1", "-c16", "-d" + duration, url)
                .redirectErrorStream(true)
                .start();
        String output = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher matcher = REQUESTS.matcher(output);
        if (wrk.waitFor() != 0 || !matcher.find()) {
            throw new IllegalStateException("wrk failed:\n" + output);
        }
        return matcher;
    }

    private static void print(Report report, List<Variant> variants) {
        BarChart chart = new BarChart("Requests per second of the whole application (longer is better)", "%,.0f");
        MarkdownTable table = new MarkdownTable(
                "whole requests",
                "requests/s",
                "of its own off",
                "CPU µs per request",
                "of its own off",
                "start-up s",
                "of its own off");
        for (Variant variant : variants) {
            chart.bar(variant.label, variant.perSecond.value());
            table.row(
                    variant.label,
                    "%.0f".formatted(variant.perSecond.value()),
                    "%.2f".formatted(variant.speed.value()),
                    "%.1f".formatted(variant.cpuMicros.value()),
                    "%.2f".formatted(variant.cpu.value()),
                    "%.2f".formatted(variant.startup.value()),
                    "%.2f".formatted(variant.startup.value() / variant.base.startup.value()));
        }
        report.table(table);
        report.chart("http", chart);
    }
}
