package io.ratelimit.enforcement;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts who waits for a leaky bucket, and lets no more than a maximum wait for each. */
public final class WaitingRoom {

    private final int capacity;

    private final Map<String, AtomicInteger> waiting = new ConcurrentHashMap<>();

    /**
     * Creates a room.
     *
     * @param capacity how many may wait for one bucket name at the same time
     */
    public WaitingRoom(int capacity) {
        if (capacity < 0) {
            throw new RateLimitConfigurationException(
                    "ratelimit.max-waiting", "'%d' is negative".formatted(capacity), "use 0 or more");
        }
        this.capacity = capacity;
    }

    /**
     * Tells how many wait.
     *
     * @param bucket name of the bucket
     * @return their number
     */
    public int waiting(String bucket) {
        AtomicInteger count = waiting.get(bucket);
        return count == null ? 0 : count.get();
    }

    boolean tryEnter(String bucket) {
        AtomicInteger count = waiting.computeIfAbsent(bucket, name -> new AtomicInteger());
        if (count.incrementAndGet() <= capacity) {
            return true;
        }
        count.decrementAndGet();
        return false;
    }

    void leave(String bucket) {
        AtomicInteger count = waiting.get(bucket);
        if (count != null) {
            count.decrementAndGet();
        }
    }
}
