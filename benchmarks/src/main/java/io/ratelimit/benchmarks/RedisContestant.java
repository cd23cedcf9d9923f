package io.ratelimit.benchmarks;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Something that decides per key in Redis, over one connection where its design allows that. */
abstract class RedisContestant implements AutoCloseable {

    static final long PERMITS = 1_000_000;

    static final Duration WINDOW = Duration.ofMinutes(1);

    /** Takes one permit of a key. */
    abstract boolean tryAcquire(String key) throws Exception;

    @Override
    public abstract void close();

    /** A script over one Lettuce connection, awaited for at most a second. */
    private abstract static class Script extends RedisContestant {

        private final RedisClient client;

        private final StatefulRedisConnection<byte[], byte[]> connection;

        private final String sha;

        Script(int port, String script) {
            client = RedisClient.create("redis://127.0.0.1:" + port);
            connection = client.connect(ByteArrayCodec.INSTANCE);
            sha = connection.sync().scriptLoad(script.getBytes(StandardCharsets.UTF_8));
        }

        <T> T evaluate(ScriptOutputType type, byte[][] keys, byte[]... arguments) throws Exception {
            return connection.async().<T>evalsha(sha, type, keys, arguments).get(1, TimeUnit.SECONDS);
        }

        @Override
        public void close() {
            connection.close();
            client.shutdown();
        }
    }

    /** The least that a script can do. */
    static RedisContestant floor(int port) {
        return returningOne(port, "return 1");
    }

    /** The least that a limiter on the clock of Redis has to do: ask for the time, read its state and write it. */
    static RedisContestant leastExact(int port) {
        return returningOne(
                port,
                """
                local time = redis.call('TIME')
                local state = redis.call('GET', KEYS[1]) or '0123456789abcdef'
                redis.call('SET', KEYS[1], state, 'PXAT', (time[1] + 3600) * 1000)
                return 1
                """);
    }

    private static RedisContestant returningOne(int port, String script) {
        return new Script(port, script) {
            @Override
            boolean tryAcquire(String key) throws Exception {
                byte[][] keys = {bytes(key)};
                return this.<Long>evaluate(ScriptOutputType.INTEGER, keys) == 1;
            }
        };
    }

    /**
     * A token bucket of the kind that gateways use: tokens and time stand in two keys, in decimal text, and the node
     * brings the time.
     */
    static RedisContestant twoKeyScript(int port) {
        String script =
                """
                local rate = tonumber(ARGV[1])
                local capacity = tonumber(ARGV[2])
                local now = tonumber(ARGV[3])
                local wanted = tonumber(ARGV[4])
                local ttl = math.floor(capacity / rate * 2)
                local level = tonumber(redis.call('get', KEYS[1]))
                if level == nil then level = capacity end
                local last = tonumber(redis.call('get', KEYS[2]))
                if last == nil then last = 0 end
                local filled = math.min(capacity, level + math.max(0, now - last) * rate)
                local ok = filled >= wanted
                local left = filled
                if ok then left = filled - wanted end
                redis.call('setex', KEYS[1], ttl, left)
                redis.call('setex', KEYS[2], ttl, now)
                return { ok and 1 or 0, left }
                """;
        byte[] rate = bytes(Long.toString(PERMITS / 60));
        byte[] capacity = bytes(Long.toString(PERMITS));
        byte[] one = bytes("1");
        return new Script(port, script) {
            @Override
            boolean tryAcquire(String key) throws Exception {
                byte[][] keys = {bytes("{" + key + "}.tokens"), bytes("{" + key + "}.time")};
                byte[] now = bytes(Long.toString(System.currentTimeMillis() / 1000));
                List<Long> reply = evaluate(ScriptOutputType.MULTI, keys, rate, capacity, now, one);
                return reply.get(0) == 1;
            }
        };
    }

    /** Bucket4j's proxy manager over Lettuce: reads, decides on the node, compares and swaps. */
    static RedisContestant bucket4j(int port) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
        ProxyManager<byte[]> buckets = Bucket4jLettuce.casBasedBuilder(client)
                .expirationAfterWrite(ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(WINDOW))
                .build();
        BucketConfiguration configuration = BucketConfiguration.builder()
                .addLimit(Bandwidth.builder()
                        .capacity(PERMITS)
                        .refillGreedy(PERMITS, WINDOW)
                        .build())
                .build();
        return new RedisContestant() {
            @Override
            boolean tryAcquire(String key) {
                return buckets.getProxy(bytes("bucket4j:" + key), () -> configuration)
                        .tryConsume(1);
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }

    /** Redisson's rate limiter, its configuration stored beforehand. */
    static RedisContestant redisson(int port, String[] keys) {
        Config config = new Config();
        config.useSingleServer().setAddress("redis://127.0.0.1:" + port);
        RedissonClient client = Redisson.create(config);
        for (String key : keys) {
            client.getRateLimiter("redisson:" + key).trySetRate(RateType.OVERALL, PERMITS, WINDOW);
        }
        return new RedisContestant() {
            @Override
            boolean tryAcquire(String key) {
                RRateLimiter limiter = client.getRateLimiter("redisson:" + key);
                return limiter.tryAcquire();
            }

            @Override
            public void close() {
                client.shutdown();
            }
        };
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
