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
import java.util.LinkedHashMap;
import java.util.Map;
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
                speed(report, redis, threads, quick ? 100 : 6_000);
            }
        }
    }

    private static Map<String, Opening> contestants() {
        Map<String, Opening> contestants = new LinkedHashMap<>();
        contestants.put(FLOOR, RedisContestant::floor);
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

    private static void speed(Report report, RedisServerProcess redis, int threads, long millis) throws Exception {
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
                "commands");
        RedisLoad.Result floor = null;
        for (Map.Entry<String, Opening> entry : contestants().entrySet()) {
            redis.flush();
            try (RedisContestant contestant = entry.getValue().open(redis.port())) {
                RedisLoad.Result result = RedisLoad.run(contestant, redis, KEYS, threads, millis);
                floor = floor == null ? result : floor;
                table.row(
                        entry.getKey(),
                        "%,.0f".formatted(result.perSecond()),
                        "%.2f".formatted(result.perSecond() / floor.perSecond()),
                        "%.0f".formatted(result.p50Micros()),
                        "%.0f".formatted(result.p99Micros()),
                        "%.1f".formatted(result.cpuMicros()),
                        "%.2f".formatted(result.cpuMicros() / floor.cpuMicros()),
                        "%.1f".formatted(result.commands()));
                speed.bar(entry.getKey(), result.perSecond());
                cpu.bar(entry.getKey(), result.cpuMicros());
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
            try (RedisContestant contestant = ours(redis.port(), policy(algorithm))) {
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
                "benchmark", leaky ? limit.withBurst(RedisContestant.PERMITS).withNodelay() : limit);
    }

    private static Policy twoLimits() {
        return Policy.of(
                "benchmark",
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
