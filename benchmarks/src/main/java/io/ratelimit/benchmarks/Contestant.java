package io.ratelimit.benchmarks;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.caffeine.Bucket4jCaffeine;
import io.github.bucket4j.distributed.proxy.ProxyManager;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import io.ratelimit.core.Acquisition.Mode;
import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import io.ratelimit.memory.MemoryBackend;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Something that decides per key in this node's memory. All are set to a billion permits per minute and key, so that
 * each decision admits and charges: the way that legitimate traffic takes.
 */
@FunctionalInterface
interface Contestant {

    long PERMITS = 1_000_000_000;

    Duration WINDOW = Duration.ofMinutes(1);

    /** Takes one permit of a key. */
    boolean tryAcquire(String key);

    /** The contestants by the name that stands in the tables. */
    enum Kind {
        FLOOR("floor: map + nanoTime + CAS", Contestant::floor),
        TOKEN_BUCKET("ratelimit token bucket", () -> ours(Algorithm.TOKEN_BUCKET)),
        LEAKY_BUCKET("ratelimit leaky bucket", () -> ours(Algorithm.LEAKY_BUCKET)),
        FIXED_WINDOW("ratelimit fixed window", () -> ours(Algorithm.FIXED_WINDOW)),
        SLIDING_COUNTER("ratelimit sliding counter", () -> ours(Algorithm.SLIDING_COUNTER)),
        SLIDING_LOG("ratelimit sliding log (100 per minute, mostly refused)", Contestant::ourLog),
        TWO_LIMITS("ratelimit token bucket + sliding counter", Contestant::ourTwoLimits),
        BUCKET4J("Bucket4j, local bucket in Caffeine", Contestant::bucket4j),
        BUCKET4J_PROXY("Bucket4j, Caffeine proxy manager", Contestant::bucket4jProxy),
        RESILIENCE4J("Resilience4j registry", Contestant::resilience4j),
        GUAVA("Guava RateLimiter in a Guava cache", Contestant::guava);

        private final String label;

        private final Supplier<Contestant> factory;

        Kind(String label, Supplier<Contestant> factory) {
            this.label = label;
            this.factory = factory;
        }

        String label() {
            return label;
        }

        Contestant create() {
            return factory.get();
        }
    }

    /** The least that any exact limiter has to do: find the key's state, read the clock, and swap the state. */
    private static Contestant floor() {
        ConcurrentMap<String, AtomicLong> states = new ConcurrentHashMap<>();
        return key -> {
            AtomicLong state = states.get(key);
            if (state == null) {
                state = states.computeIfAbsent(key, missing -> new AtomicLong());
            }
            while (true) {
                long now = System.nanoTime();
                long seen = state.get();
                if (state.compareAndSet(seen, Math.max(seen + 1, now))) {
                    return true;
                }
            }
        };
    }

    private static Contestant ours(Algorithm algorithm) {
        Limit limit = Limit.of(algorithm, PERMITS, WINDOW);
        return ours(Policy.of(
                "benchmark",
                algorithm == Algorithm.LEAKY_BUCKET ? limit.withBurst(PERMITS).withNodelay() : limit));
    }

    private static Contestant ourLog() {
        return ours(Policy.of("benchmark", Limit.of(Algorithm.SLIDING_LOG, 100, WINDOW)));
    }

    private static Contestant ourTwoLimits() {
        return ours(Policy.of(
                "benchmark",
                Limit.of(Algorithm.TOKEN_BUCKET, PERMITS, WINDOW),
                Limit.of(Algorithm.SLIDING_COUNTER, PERMITS, Duration.ofHours(1))));
    }

    private static Contestant ours(Policy policy) {
        MemoryBackend backend = new MemoryBackend(TimeSource.system(), 2_000_000);
        return key -> backend.acquire(policy, key, 1, Mode.SPEND).allowed();
    }

    private static Contestant bucket4j() {
        LoadingCache<String, Bucket> buckets = Caffeine.newBuilder()
                .maximumSize(2_000_000)
                .expireAfterAccess(WINDOW)
                .build(key -> Bucket.builder().addLimit(bandwidth()).build());
        return key -> buckets.get(key).tryConsume(1);
    }

    private static Contestant bucket4jProxy() {
        ProxyManager<String> buckets = Bucket4jCaffeine.<String>builderFor(
                        Caffeine.newBuilder().maximumSize(2_000_000))
                .build();
        BucketConfiguration configuration =
                BucketConfiguration.builder().addLimit(bandwidth()).build();
        return key -> buckets.getProxy(key, () -> configuration).tryConsume(1);
    }

    private static Bandwidth bandwidth() {
        return Bandwidth.builder()
                .capacity(PERMITS)
                .refillGreedy(PERMITS, WINDOW)
                .build();
    }

    private static Contestant resilience4j() {
        RateLimiterRegistry registry = RateLimiterRegistry.of(RateLimiterConfig.custom()
                .limitForPeriod((int) PERMITS)
                .limitRefreshPeriod(WINDOW)
                .timeoutDuration(Duration.ZERO)
                .build());
        return key -> registry.rateLimiter(key).acquirePermission();
    }

    @SuppressWarnings("UnstableApiUsage")
    private static Contestant guava() {
        com.google.common.cache.LoadingCache<String, com.google.common.util.concurrent.RateLimiter> limiters =
                CacheBuilder.newBuilder()
                        .maximumSize(2_000_000)
                        .expireAfterAccess(WINDOW.toMinutes(), TimeUnit.MINUTES)
                        .build(CacheLoader.from(
                                () -> com.google.common.util.concurrent.RateLimiter.create(PERMITS / 60.0)));
        return key -> limiters.getUnchecked(key).tryAcquire();
    }
}
