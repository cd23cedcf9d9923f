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

    static void run(boolean quick) throws Exception {
        try (RedisServerProcess redis = new RedisServerProcess()) {
            for (int threads : quick ? new int[] {2} : new int[] {1, 8, 32, 128}) {
                System.out.println(speed(redis, threads, quick ? 200 : 6_000));
            }
            System.out.println(bytesPerClient(redis, quick ? 100 : 10_000));
        }
    }

    private static Map<String, Opening> contestants() {
        Map<String, Opening> contestants = new LinkedHashMap<>();
        contestants.put(FLOOR, RedisContestant::floor);
        contestants.put("ratelimit token bucket", port -> ours(port, policy(Algorithm.TOKEN_BUCKET)));
        contestants.put("ratelimit sliding counter", port -> ours(port, policy(Algorithm.SLIDING_COUNTER)));
        contestants.put("ratelimit fixed window", port -> ours(port, policy(Algorithm.FIXED_WINDOW)));
        contestants.put("ratelimit, two limits", port -> ours(port, twoLimits()));
        contestants.put("two-key script of a gateway", RedisContestant::twoKeyScript);
        contestants.put("Bucket4j, Lettuce proxy manager", RedisContestant::bucket4j);
        contestants.put("Redisson RRateLimiter", port -> RedisContestant.redisson(port, KEYS));
        return contestants;
    }

    private static String speed(RedisServerProcess redis, int threads, long millis) throws Exception {
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
            }
        }
        return table.toString();
    }

    private static String bytesPerClient(RedisServerProcess redis, int clients) throws Exception {
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
        return table.toString();
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
