package io.ratelimit.benchmarks;

import io.ratelimit.core.Acquisition.Mode;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import io.ratelimit.memory.MemoryBackend;
import io.ratelimit.redis.RedisBackend;
import io.ratelimit.redis.RedisObserver;
import io.ratelimit.redis.RedisSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Decisions in a real Redis beside the least that a script can do and beside peers; and what a client costs there. */
final class RedisTable {

    private static final String[] KEYS = Workload.keys(2_000);

    private static final String FLOOR = "floor: EVALSHA \"return 1\"";

    /** Opens a contestant on the Redis of a port. */
    private interface Opening {
        RedisContestant open(int port);
    }

    private RedisTable() {}

    static void run(Report report) throws Exception {
        boolean quick = report.quick();
        try (RedisServerProcess redis = new RedisServerProcess()) {
            report.table(bytesPerClient(redis, quick ? 100 : 10_000));
            report.table(bytesPerEntry(redis, quick ? 100 : 10_000));
            for (int threads : quick ? new int[] {2} : new int[] {32, 1, 8, 128}) {
                speed(report, redis, threads, quick);
            }
        }
    }

    private static Map<String, Opening> contestants() {
        Map<String, Opening> contestants = new LinkedHashMap<>();
        contestants.put(FLOOR, RedisContestant::floor);
        contestants.put("least exact script: TIME, GET, SET", RedisContestant::leastExact);
        contestants.put("ratelimit token bucket", port -> ours(port, policy(Algorithm.TOKEN_BUCKET)));
        contestants.put("ratelimit sliding counter", port -> ours(port, policy(Algorithm.SLIDING_COUNTER)));
        contestants.put("ratelimit fixed window", port -> ours(port, policy(Algorithm.FIXED_WINDOW)));
        contestants.put("ratelimit, two limits", port -> ours(port, twoLimits()));
        contestants.put("ratelimit, refused keys (deny cache)", port -> ours(port, nothing()));
        contestants.put("two-key script of a gateway", RedisContestant::twoKeyScript);
        contestants.put("Bucket4j, Lettuce proxy manager", RedisContestant::bucket4j);
        contestants.put("Redisson RRateLimiter", port -> RedisContestant.redisson(port, KEYS));
        return contestants;
    }

    /** One way to decide, with what was measured in all rounds. */
    private static final class Measured implements AutoCloseable {

        private final String label;

        private final RedisContestant contestant;

        private final Median perSecond = new Median();

        private final Median speed = new Median();

        private final Median cpuMicros = new Median();

        private final Median cpu = new Median();

        private final Median clientCpuMicros = new Median();

        private final Median commands = new Median();

        private final Histogram nanos = new Histogram(3);

        Measured(String label, RedisContestant contestant) {
            this.label = label;
            this.contestant = contestant;
        }

        /** Takes a round into account, with that of the floor in it. */
        void add(RedisLoad.Result result, RedisLoad.Result floor) {
            perSecond.add(result.perSecond());
            speed.add(result.perSecond() / floor.perSecond());
            cpuMicros.add(result.cpuMicros());
            cpu.add(result.cpuMicros() / floor.cpuMicros());
            clientCpuMicros.add(result.clientCpuMicros());
            commands.add(result.commands());
            nanos.add(result.nanos());
        }

        /** Else it is so fast that the bars of the others would vanish beside its own. */
        boolean asksRedis() {
            return Math.round(commands.value()) > 0;
        }

        @Override
        public void close() {
            contestant.close();
        }
    }

    /** All are opened and warmed first; then each is loaded in turn, round after round, the floor first. */
    private static void speed(Report report, RedisServerProcess redis, int threads, boolean quick) throws Exception {
        redis.flush();
        List<Measured> all = new ArrayList<>();
        try {
            for (Map.Entry<String, Opening> entry : contestants().entrySet()) {
                all.add(new Measured(entry.getKey(), entry.getValue().open(redis.port())));
            }
            for (Measured one : all) {
                RedisLoad.run(one.contestant, redis, KEYS, threads, quick ? 100 : 4_000);
            }
            for (int round = 0; round < (quick ? 1 : 7); round++) {
                RedisLoad.Result floor = null;
                for (Measured one : all) {
                    RedisLoad.Result result = RedisLoad.run(one.contestant, redis, KEYS, threads, quick ? 100 : 1_500);
                    floor = floor == null ? result : floor;
                    one.add(result, floor);
                }
            }
            print(report, threads, all);
        } finally {
            all.forEach(Measured::close);
        }
    }

    private static void print(Report report, int threads, List<Measured> all) {
        BarChart speed = new BarChart(
                "Decisions per second in Redis, %d threads (longer is better)".formatted(threads), "%,.0f");
        BarChart cpu = new BarChart(
                "Processor time of Redis for a decision, %d threads (shorter is better)".formatted(threads), "%.1f µs");
        MarkdownTable table = new MarkdownTable(
                "Redis, %d thread%s".formatted(threads, threads == 1 ? "" : "s"),
                "decisions/s",
                "of floor",
                "p50 µs",
                "p99 µs",
                "Redis CPU µs",
                "of floor",
                "client CPU µs",
                "commands");
        for (Measured one : all) {
            table.row(
                    one.label,
                    "%,.0f".formatted(one.perSecond.value()),
                    "%.2f".formatted(one.speed.value()),
                    "%.0f".formatted(one.nanos.getValueAtPercentile(50) / 1e3),
                    "%.0f".formatted(one.nanos.getValueAtPercentile(99) / 1e3),
                    "%.1f".formatted(one.cpuMicros.value()),
                    "%.2f".formatted(one.cpu.value()),
                    "%.1f".formatted(one.clientCpuMicros.value()),
                    "%.1f".formatted(one.commands.value()));
            if (one.asksRedis()) {
                speed.bar(one.label, one.perSecond.value());
                cpu.bar(one.label, one.cpuMicros.value());
            }
        }
        report.table(table);
        report.chart("redis-speed-" + threads, speed);
        report.chart("redis-cpu-" + threads, cpu);
    }

    private static MarkdownTable bytesPerClient(RedisServerProcess redis, int clients) throws Exception {
        MarkdownTable table = new MarkdownTable("Redis memory", "bytes per client");
        for (Algorithm algorithm : Algorithm.values()) {
            redis.flush();
            long before = redis.usedMemory();
            try (RedisContestant contestant = ours(redis.port(), lasting(algorithm))) {
                for (int i = 0; i < clients; i++) {
                    contestant.tryAcquire(Workload.key(i));
                }
            }
            table.row(
                    "ratelimit " + algorithm + ", one request each",
                    "%.0f".formatted((double) (redis.usedMemory() - before) / clients));
        }
        return table;
    }

    /** A full log of one client, beside the sorted set of unique members in which such logs are usually kept. */
    private static MarkdownTable bytesPerEntry(RedisServerProcess redis, int entries) {
        MarkdownTable table = new MarkdownTable("sliding log in Redis", "entries", "bytes", "bytes per entry");
        redis.flush();
        Policy log = Policy.of("benchmark", Limit.of(Algorithm.SLIDING_LOG, entries, Duration.ofHours(1)));
        try (RedisContestant contestant = ours(redis.port(), log)) {
            for (int i = 0; i < entries; i++) {
                contestant.tryAcquire("client");
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        bytesOfEverything(table, "ratelimit sliding log", redis, entries);
        redis.flush();
        redis.fillSortedSet("log", entries);
        bytesOfEverything(table, "sorted set, members of time and a sequence number", redis, entries);
        return table;
    }

    private static void bytesOfEverything(MarkdownTable table, String label, RedisServerProcess redis, int entries) {
        long bytes = redis.bytesOfKeys();
        table.row(label, "%,d".formatted(entries), "%,d".formatted(bytes), "%.1f".formatted((double) bytes / entries));
    }

    private static Policy nothing() {
        return Policy.of("benchmark", Limit.of(Algorithm.TOKEN_BUCKET, 1, Duration.ofHours(1)));
    }

    private static Policy policy(Algorithm algorithm) {
        Limit limit = Limit.of(algorithm, RedisContestant.PERMITS, RedisContestant.WINDOW);
        boolean leaky = algorithm == Algorithm.LEAKY_BUCKET;
        return Policy.of(
                "benchmark-" + algorithm,
                leaky ? limit.withBurst(RedisContestant.PERMITS).withNodelay() : limit);
    }

    /** So slow that no state turns idle while others are counted. */
    private static Policy lasting(Algorithm algorithm) {
        Limit limit = Limit.of(algorithm, 10, Duration.ofHours(1));
        boolean leaky = algorithm == Algorithm.LEAKY_BUCKET;
        return Policy.of("benchmark", leaky ? limit.withBurst(10).withNodelay() : limit);
    }

    private static Policy twoLimits() {
        return Policy.of(
                "benchmark-two",
                Limit.of(Algorithm.TOKEN_BUCKET, RedisContestant.PERMITS, RedisContestant.WINDOW),
                Limit.of(Algorithm.SLIDING_COUNTER, RedisContestant.PERMITS, Duration.ofHours(1)));
    }

    private static RedisContestant ours(int port, Policy policy) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", port);
        factory.afterPropertiesSet();
        factory.start();
        MemoryBackend local = new MemoryBackend(TimeSource.system(), 1_000);
        RedisSettings settings = RedisSettings.defaults().withTimeout(Duration.ofSeconds(1));
        RedisBackend backend = new RedisBackend(factory, settings, local, null, new RedisObserver() {});
        return new RedisContestant() {
            @Override
            boolean tryAcquire(String key) {
                return backend.acquire(policy, key, 1, Mode.SPEND).allowed();
            }

            @Override
            public void close() {
                backend.close();
                local.close();
                factory.destroy();
            }
        };
    }
}
