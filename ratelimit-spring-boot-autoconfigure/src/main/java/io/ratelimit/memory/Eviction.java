package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.Policy;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Makes room in a full store: looks at a few states, wherever the hand stands, and forgets the first idle one or else
 * the one that is farthest from refusing. One that refuses is never forgotten, so a flood of keys frees nobody.
 *
 * <p>Never waits for a state, so it may be called while others are claimed; a claimed state is simply passed over.
 */
final class Eviction {

    private static final int SAMPLE = 16;

    /** How many entries may be passed over, because they left the store or somebody has them, for one sample. */
    private static final int PASSES = 4 * SAMPLE;

    /** Stands for the use of a state that could not be looked at. */
    private static final long UNKNOWN = -1;

    private final KeyTables tables;

    private final Usage usage;

    /** Whether a thread has the hand; it is moved for a microsecond at a time. */
    private final AtomicBoolean moving = new AtomicBoolean();

    private Iterator<KeyTable> tableHand = Collections.emptyIterator();

    private Iterator<Map.Entry<String, BucketState>> hand = Collections.emptyIterator();

    private @Nullable KeyTable table;

    private record Candidate(KeyTable table, String key, BucketState state, long used) {}

    Eviction(KeyTables tables, Usage usage) {
        this.tables = tables;
        this.usage = usage;
    }

    /** Forgets one state, and tells whether it found one that may be forgotten. */
    boolean evictOne(Room room) {
        while (!moving.compareAndSet(false, true)) {
            Thread.yield();
        }
        try {
            Candidate best = best();
            while (best != null && !evict(best, room)) {
                best = best();
            }
            return best != null;
        } finally {
            moving.set(false);
        }
    }

    private @Nullable Candidate best() {
        Candidate best = null;
        int seen = 0;
        int passed = 0;
        while (seen < SAMPLE && passed < PASSES && (best == null || best.used > 0)) {
            Candidate next = next();
            if (next == null) {
                return best;
            }
            if (next.used == UNKNOWN) {
                passed++;
                continue;
            }
            seen++;
            if (next.used < (best == null ? Usage.EXHAUSTED : best.used)) {
                best = next;
            }
        }
        return best;
    }

    private @Nullable Candidate next() {
        if (!hand.hasNext() && !nextTable()) {
            return null;
        }
        Map.Entry<String, BucketState> entry = hand.next();
        BucketState state = entry.getValue();
        return new Candidate(table, entry.getKey(), state, look(state));
    }

    private long look(BucketState state) {
        Policy last = state.tryClaim();
        if (last == null) {
            return UNKNOWN;
        }
        try {
            return usage.of(state, last);
        } finally {
            state.release(last);
        }
    }

    private boolean nextTable() {
        boolean wrapped = false;
        while (!hand.hasNext()) {
            if (!tableHand.hasNext()) {
                if (wrapped) {
                    return false;
                }
                wrapped = true;
                tableHand = tables.all().iterator();
            }
            if (tableHand.hasNext()) {
                table = tableHand.next();
                hand = table.iterator();
            }
        }
        return true;
    }

    /** It may have been used since it was looked at. */
    private boolean evict(Candidate candidate, Room room) {
        BucketState state = candidate.state;
        Policy last = state.tryClaim();
        if (last == null) {
            return false;
        }
        if (usage.of(state, last) == Usage.EXHAUSTED) {
            state.release(last);
            return false;
        }
        long weight = Weight.of(state);
        candidate.table.remove(candidate.key, state);
        room.give(weight);
        return true;
    }
}
