package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.Policy;
import io.ratelimit.core.SlidingLog;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * States that keys without room share, for one policy name.
 *
 * <p>A flood of keys must neither free a client that is blocked, nor run unlimited, nor lock everybody else out. So a
 * key that finds no room is counted in one of {@value #SLOTS} states, chosen by a hash that nobody outside can compute:
 * whoever floods cannot aim at a victim. The number weighs memory against innocent clients that meet an exhausted state:
 * after 4,000 exhausted ones, every fifth newcomer meets one here; with 1,024 states it would be practically everyone.
 * Logs have at most {@value #LOG_ENTRIES} entries here. When there is room again, a key starts with a copy of the state it
 * shared.
 */
final class Overflow implements Space {

    /** States for each policy name. */
    static final int SLOTS = 8192;

    /** Entries of a log that is shared. */
    static final int LOG_ENTRIES = 8;

    private final long seed;

    private final AtomicReference<@Nullable AtomicReferenceArray<@Nullable BucketState>> states =
            new AtomicReference<>();

    Overflow(long seed) {
        this.seed = seed;
    }

    /** The place of a key: a polynomial in a secret point, so that equal places cannot be computed outside. */
    int slot(String key) {
        long point = seed | 1;
        long hash = seed;
        for (int i = 0; i < key.length(); i++) {
            hash = (hash ^ (hash >>> 29)) * point + key.charAt(i);
        }
        hash = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
        return (int) (hash >>> 51);
    }

    /** The state at a place; {@code null} if nobody shares there. */
    @Nullable
    BucketState get(int slot) {
        AtomicReferenceArray<@Nullable BucketState> array = states.get();
        return array == null ? null : array.get(slot);
    }

    /** Publishes a state claimed by the caller, unless there is one. */
    boolean add(int slot, BucketState state) {
        AtomicReferenceArray<@Nullable BucketState> array = states.get();
        if (array == null) {
            states.compareAndSet(null, new AtomicReferenceArray<>(SLOTS));
            array = states.get();
        }
        return array.compareAndSet(slot, null, state);
    }

    /** Puts another state, claimed by the caller like the old one, in its place. */
    void replace(int slot, BucketState old, BucketState state) {
        states.get().compareAndSet(slot, old, state);
        old.release(BucketState.GONE);
    }

    /** Forgets a state claimed by the caller. */
    void remove(int slot, BucketState state) {
        states.get().compareAndSet(slot, state, null);
        state.release(BucketState.GONE);
    }

    /** Forgets everything. */
    void clear() {
        for (int slot = 0; slot < SLOTS; slot++) {
            BucketState state = get(slot);
            if (state != null && state.claim() != BucketState.GONE) {
                remove(slot, state);
            }
        }
    }

    /** Forgets what decides like fresh. */
    void sweep(Usage usage) {
        for (int slot = 0; slot < SLOTS; slot++) {
            BucketState state = get(slot);
            Policy last = state == null ? null : state.tryClaim();
            if (last == null) {
                continue;
            }
            if (usage.idle(state, last)) {
                remove(slot, state);
            } else {
                state.release(last);
            }
        }
    }

    @Override
    public boolean grow(SlidingLog log) {
        return log.entries() < LOG_ENTRIES;
    }

    @Override
    public void shrink(long entries) {
        // Bounded one by one, not counted.
    }
}
