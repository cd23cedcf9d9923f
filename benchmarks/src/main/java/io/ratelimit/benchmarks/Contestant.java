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
import java.util.function.LongFunction;

/**
 * Something that decides per key in this node's memory. All are set to so many permits per hour and key; with
 * {@link #PLENTY}, each decision admits and charges: the way that legitimate traffic takes.
 */
@FunctionalInterface
interface Contestant {

    /** So many that each decision admits. */
    long PLENTY = 1_000_000_000;

    Duration WINDOW = Duration.ofHours(1);

    /** Takes one permit of a key. */
    boolean tryAcquire(String key);

    /** The contestants by the name that stands in the tables. */
    enum Kind {
        FLOOR("floor: map + nanoTime + CAS", permits -> floor()),
        ANSWERING_FLOOR("floor, with an answer of 48 B", permits -> answeringFloor()),
        TOKEN_BUCKET("ratelimit token bucket", permits -> ours(permits, Algorithm.TOKEN_BUCKET)),
        LEAKY_BUCKET("ratelimit leaky bucket", permits -> ours(permits, Algorithm.LEAKY_BUCKET)),
        FIXED_WINDOW("ratelimit fixed window", permits -> ours(permits, Algorithm.FIXED_WINDOW)),
        SLIDING_COUNTER("ratelimit sliding counter", permits -> ours(permits, Algorithm.SLIDING_COUNTER)),
        SLIDING_LOG("ratelimit sliding log (100 per minute, mostly refused)", permits -> ourLog()),
        TWO_LIMITS("ratelimit token bucket + sliding counter", Contestant::ourTwoLimits),
        BUCKET4J("Bucket4j, local bucket in Caffeine", Contestant::bucket4j),
        BUCKET4J_PROXY("Bucket4j, Caffeine proxy manager", Contestant::bucket4jProxy),
        RESILIENCE4J("Resilience4j registry", Contestant::resilience4j),
        GUAVA("Guava RateLimiter in a Guava cache", Contestant::guava);

        private final String label;

        private final LongFunction<Contestant> factory;

        Kind(String label, LongFunction<Contestant> factory) {
            this.label = label;
            this.factory = factory;
        }

        String label() {
            return label;
        }

        Contestant create(long permits) {
            return factory.apply(permits);
        }
    }

    /** The least that any exact limiter has to do: find the key's state, read the clock, and swap the state. */
    private static Contestant floor() {
        ConcurrentMap<String, AtomicLong> states = new ConcurrentHashMap<>();
        return key -> {
            AtomicLong state = state(states, key);
            while (true) {
                long now = System.nanoTime();
                long seen = state.get();
                if (state.compareAndSet(seen, Math.max(seen + 1, now))) {
                    return true;
                }
            }
        };
    }

    private static AtomicLong state(ConcurrentMap<String, AtomicLong> states, String key) {
        AtomicLong state = states.get(key);
        return state == null ? states.computeIfAbsent(key, missing -> new AtomicLong()) : state;
    }

    /**
     * The least that a limiter has to do whose answer can be passed on: it also makes an object of the size of our decisions. Shows
     * how much of what we take is garbage, which is written once and pushes other things out of the processor's caches.
     */
    private static Contestant answeringFloor() {
        ConcurrentMap<String, AtomicLong> states = new ConcurrentHashMap<>();
        return key -> answer(state(states, key), key).after != 0;
    }

    /** 12 bytes of header, 4 of the key, 32 of numbers. */
    record Answer(String key, long at, long before, long after, long cost) {}

    /** Not inlined (see {@link MemoryBenchmark}), so that the answer is made. */
    static Answer answer(AtomicLong state, String key) {
        while (true) {
            long now = System.nanoTime();
            long seen = state.get();
            long next = Math.max(seen + 1, now);
            if (state.compareAndSet(seen, next)) {
                return new Answer(key, now, seen, next, 1);
            }
        }
    }

    /** Buckets hold the permits and refill slowly, so that their states are never idle, and so forgotten, in between. */
    private static Contestant ours(long permits, Algorithm algorithm) {
        return ours(Policy.of(
                "benchmark",
                switch (algorithm) {
                    case TOKEN_BUCKET -> slowlyRefilled(algorithm, permits);
                    case LEAKY_BUCKET -> slowlyRefilled(algorithm, permits).withNodelay();
                    default -> Limit.of(algorithm, permits, WINDOW);
                }));
    }

    private static Limit slowlyRefilled(Algorithm algorithm, long permits) {
        return Limit.of(algorithm, 10, WINDOW).withBurst(permits);
    }

    private static Contestant ourLog() {
        return ours(Policy.of("benchmark", Limit.of(Algorithm.SLIDING_LOG, 100, Duration.ofMinutes(1))));
    }

    private static Contestant ourTwoLimits(long permits) {
        return ours(Policy.of(
                "benchmark",
                slowlyRefilled(Algorithm.TOKEN_BUCKET, permits),
                Limit.of(Algorithm.SLIDING_COUNTER, permits, Duration.ofDays(1))));
    }

    private static Contestant ours(Policy policy) {
        MemoryBackend backend = new MemoryBackend(TimeSource.system(), 2_000_000);
        return key -> backend.acquire(policy, key, 1, Mode.SPEND).allowed();
    }

    private static Contestant bucket4j(long permits) {
        LoadingCache<String, Bucket> buckets = Caffeine.newBuilder()
                .maximumSize(2_000_000)
                .expireAfterAccess(WINDOW)
                .build(key -> Bucket.builder().addLimit(bandwidth(permits)).build());
        return key -> buckets.get(key).tryConsume(1);
    }

    private static Contestant bucket4jProxy(long permits) {
        ProxyManager<String> buckets = Bucket4jCaffeine.<String>builderFor(
                        Caffeine.newBuilder().maximumSize(2_000_000))
                .build();
        BucketConfiguration configuration =
                BucketConfiguration.builder().addLimit(bandwidth(permits)).build();
        return key -> buckets.getProxy(key, () -> configuration).tryConsume(1);
    }

    private static Bandwidth bandwidth(long permits) {
        return Bandwidth.builder()
                .capacity(permits)
                .refillGreedy(permits, WINDOW)
                .build();
    }

    private static Contestant resilience4j(long permits) {
        RateLimiterRegistry registry = RateLimiterRegistry.of(RateLimiterConfig.custom()
                .limitForPeriod((int) permits)
                .limitRefreshPeriod(WINDOW)
                .timeoutDuration(Duration.ZERO)
                .build());
        return key -> registry.rateLimiter(key).acquirePermission();
    }

    @SuppressWarnings("UnstableApiUsage")
    private static Contestant guava(long permits) {
        com.google.common.cache.LoadingCache<String, com.google.common.util.concurrent.RateLimiter> limiters =
                CacheBuilder.newBuilder()
                        .maximumSize(2_000_000)
                        .expireAfterAccess(WINDOW.toMinutes(), TimeUnit.MINUTES)
                        .build(CacheLoader.from(() -> com.google.common.util.concurrent.RateLimiter.create(
                                (double) permits / WINDOW.toSeconds())));
        return key -> limiters.getUnchecked(key).tryAcquire();
    }
}
