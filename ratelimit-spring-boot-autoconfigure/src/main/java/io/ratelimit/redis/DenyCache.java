package io.ratelimit.redis;

import io.ratelimit.core.Decision;
import io.ratelimit.core.Policy;
import io.ratelimit.core.TimeSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what Redis said when it refused a key, and repeats the refusal for as long as it is known to stand: until the
 * request could be admitted, at most for the maximum age counted from when the command was sent, for the same or a larger
 * cost of the same policy.
 *
 * <p>Bounded by two generations of half the size: when the younger is full, it becomes the older one, and what the older one
 * held is forgotten. A refusal that was on its way while its key was cleared is not remembered: each clearing moves a
 * counter, which is read before the command is sent.
 */
final class DenyCache {

    private static final int COUNTERS = 1_024;

    private final boolean enabled;

    private final long maxAgeNanos;

    private final int generationSize;

    private final @Nullable TimeSource timeSource;

    private final AtomicIntegerArray clearings = new AtomicIntegerArray(COUNTERS);

    private volatile Generations generations = new Generations(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());

    private record Generations(Map<String, Refusal> young, Map<String, Refusal> old) {}

    /**
     * When a command is sent, and what must not have happened since then for its answer to be remembered.
     *
     * @param nanos the time, as of {@link System#nanoTime()}
     * @param micros the time on the user's clock, if there is one; else the same time as nanos
     * @param clearings how often the bucket, or another one that shares its counter, was cleared
     */
    record Sent(long nanos, long micros, int clearings) {}

    private record Refusal(Policy policy, long cost, Sent sent, Answer answer) {}

    DenyCache(RedisSettings.DenyCacheSettings settings, @Nullable TimeSource timeSource) {
        this.enabled = settings.enabled();
        this.maxAgeNanos = settings.maxAge().toNanos();
        this.generationSize = Math.max(1, settings.maxEntries() / 2);
        this.timeSource = timeSource;
    }

    /**
     * Notes what has to be known about a command before it is sent.
     *
     * @param bucket that it asks
     * @param nanos the time, as of {@link System#nanoTime()}
     */
    Sent sending(String bucket, long nanos) {
        long micros = timeSource == null ? nanos / 1_000 : timeSource.micros();
        return new Sent(nanos, micros, enabled ? clearings.get(counter(bucket)) : 0);
    }

    /** The standing refusal of a request that is about to be sent, {@code null} if Redis is to be asked. */
    @Nullable
    Decision refusal(Bucket bucket) {
        Refusal known = enabled ? find(bucket.name()) : null;
        Policy policy = bucket.policy();
        long cost = bucket.asked().cost();
        if (known == null || !known.policy.equals(policy) || cost < known.cost) {
            return null;
        }
        long age = bucket.sent().nanos - known.sent.nanos;
        long later = bucket.sent().micros - known.sent.micros;
        boolean otherCost = cost != known.cost && known.answer.forOneCost();
        if (age >= maxAgeNanos || later < 0 || otherCost || !known.answer.holds(policy, later)) {
            return null;
        }
        Decision decision = known.answer.seen(policy, bucket.asked().key(), cost, cost, later);
        return decision.allowed() ? null : decision;
    }

    /** Keeps the answer that refused what was asked of a bucket. */
    void remember(Bucket bucket, Answer answer) {
        String name = bucket.name();
        Sent sent = bucket.sent();
        if (!enabled || clearings.get(counter(name)) != sent.clearings) {
            return;
        }
        Generations now = generations;
        now.young.put(name, new Refusal(bucket.policy(), bucket.asked().cost(), sent, answer));
        if (now.young.size() > generationSize && generations == now) {
            generations = new Generations(new ConcurrentHashMap<>(), now.young);
        }
        if (clearings.get(counter(name)) != sent.clearings) {
            clear(name);
        }
    }

    /** Forgets a bucket; to be called before and after it is changed in Redis. */
    void clear(String bucket) {
        if (enabled) {
            clearings.incrementAndGet(counter(bucket));
            Generations now = generations;
            now.young.remove(bucket);
            now.old.remove(bucket);
        }
    }

    void clear() {
        for (int i = 0; i < COUNTERS; i++) {
            clearings.incrementAndGet(i);
        }
        generations = new Generations(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());
    }

    int size() {
        Generations now = generations;
        return now.young.size() + now.old.size();
    }

    private @Nullable Refusal find(String bucket) {
        Generations now = generations;
        Refusal young = now.young.get(bucket);
        return young == null ? now.old.get(bucket) : young;
    }

    private static int counter(String bucket) {
        int hash = bucket.hashCode();
        return (hash ^ hash >>> 16) & COUNTERS - 1;
    }
}
