package io.ratelimit.memory;

import io.ratelimit.core.Acquisition;
import io.ratelimit.core.Backend;
import io.ratelimit.core.BucketState;
import io.ratelimit.core.Decision;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.PackedState;
import io.ratelimit.core.Policy;
import io.ratelimit.core.Resets;
import io.ratelimit.core.TimeSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts in this node's memory, atomically for each key, within a bound.
 *
 * <p>A decision looks its key up, claims the state for the time of the arithmetic and makes one object, the decision. No
 * thread parks: see {@link BucketState}. A thread of its own forgets idle states while others decide.
 *
 * <p>When as much is remembered as may be, idle states and those farthest from refusing make room for new keys. A state
 * that refuses is never forgotten; keys that find no room share states (see {@link Overflow}).
 */
public final class MemoryBackend implements Backend, AutoCloseable {

    private final TimeSource timeSource;

    private final KeyTables tables;

    private final Resets own = new Resets(this::refundOwn);

    private final Resets shared = new Resets(this::refundAnywhere);

    private final Ruling ruling = new Ruling(own, shared);

    private final Usage usage;

    private final Room room;

    private final Sweeper sweeper;

    /**
     * Creates an empty store and starts its sweeper.
     *
     * @param timeSource the clock
     * @param maxKeys how many keys, and entries of sliding logs, may be remembered; at least 1
     * @throws IllegalArgumentException if the bound is not positive
     */
    public MemoryBackend(TimeSource timeSource, long maxKeys) {
        this(new KeyTables(PackedState.allowedBy(timeSource)), timeSource, maxKeys);
        sweeper.start();
    }

    private MemoryBackend(KeyTables tables, TimeSource timeSource, long maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("max-keys %d is not positive; use 1 or more".formatted(maxKeys));
        }
        this.tables = tables;
        this.timeSource = timeSource;
        this.usage = new Usage(timeSource);
        this.room = new Room(maxKeys, new Eviction(tables, usage));
        this.sweeper = new Sweeper(tables, usage, room);
    }

    /** Creates a store in which nothing happens but what is called. */
    static MemoryBackend withoutSweeper(TimeSource timeSource, long maxKeys) {
        return new MemoryBackend(new KeyTables(PackedState.allowedBy(timeSource)), timeSource, maxKeys);
    }

    /** Creates a store that trusts the clock never to run backwards, in which nothing happens but what is called. */
    static MemoryBackend packing(TimeSource timeSource, long maxKeys) {
        return new MemoryBackend(new KeyTables(true), timeSource, maxKeys);
    }

    @Override
    public Decision acquire(Policy policy, String key, long cost, Acquisition.Mode mode) {
        Acquisition.requireCost(policy, cost);
        KeyTable table = tables.of(policy);
        BucketState state = table.get(key);
        if (state != null) {
            Decision decision = state.decideAtOnce(own.sinceNow(), policy, key, cost, timeSource);
            if (decision != null) {
                return decision;
            }
            Policy last = state.claim();
            if (last == policy || last != BucketState.GONE && state.fits(last, policy)) {
                try {
                    return ruling.decide(state, policy, key, cost, timeSource.micros(), room);
                } finally {
                    state.release(policy);
                }
            }
            if (last != BucketState.GONE) {
                state.release(last);
            }
        }
        return acquireAll(List.of(new Acquisition(policy, key, cost, mode))).get(0);
    }

    @Override
    public List<Decision> acquireAll(List<Acquisition> acquisitions) {
        return new JointAcquisition(acquisitions, tables, timeSource, ruling, room).decide();
    }

    @Override
    public Decision peek(Policy policy, String key) {
        KeyTable table = tables.of(policy);
        while (true) {
            BucketState state = existing(table, key);
            if (state == null) {
                return ruling.report(BucketState.fresh(policy), policy, key, 1, 1, timeSource.micros());
            }
            Policy last = state.claim();
            if (last == BucketState.GONE) {
                continue;
            }
            if (state.packed() && !state.fits(last, policy)) {
                unpack(table, key, state, last);
                continue;
            }
            try {
                return ruling.report(state.shapedFor(last, policy), policy, key, 1, 1, timeSource.micros());
            } finally {
                state.release(last);
            }
        }
    }

    private void unpack(KeyTable table, String key, BucketState state, Policy last) {
        BucketState unpacked = state.unpacked(timeSource.micros());
        if (table.get(key) == state) {
            table.replace(key, state, unpacked);
        } else {
            table.overflow().replace(table.overflow().slot(key), state, unpacked);
        }
        unpacked.release(last);
    }

    @Override
    public void refund(Decision decision) {
        refundAnywhere(decision, () -> false);
    }

    private void refundAnywhere(Decision decision, BooleanSupplier wasReset) {
        KeyTable table = tables.of(decision.policy());
        if (!giveBackUnder(decision, wasReset, () -> table.get(decision.key()), room)) {
            int slot = table.overflow().slot(decision.key());
            giveBackUnder(decision, wasReset, () -> table.overflow().get(slot), table.overflow());
        }
    }

    /** A state that was forgotten meanwhile took the charge with it; what the key may share by now is others'. */
    private void refundOwn(Decision decision, BooleanSupplier wasReset) {
        KeyTable table = tables.of(decision.policy());
        giveBackUnder(decision, wasReset, () -> table.get(decision.key()), room);
    }

    /** A place that the key shares is forgotten with it, and so for all who share it, whoever they are. */
    @Override
    public void reset(Policy policy, String key) {
        noteReset(policy, key);
        KeyTable table = tables.of(policy);
        removeOwn(table, key);
        int slot = table.overflow().slot(key);
        BucketState common = table.overflow().get(slot);
        if (common != null && common.claim() != BucketState.GONE) {
            table.overflow().remove(slot, common);
        }
        noteReset(policy, key);
    }

    private void noteReset(Policy policy, String key) {
        own.reset(policy.name(), key);
        shared.reset(policy.name());
    }

    @Override
    public void reset() {
        own.reset();
        shared.reset();
        for (KeyTable table : tables.all()) {
            for (Iterator<Map.Entry<String, BucketState>> all = table.iterator(); all.hasNext(); ) {
                removeOwn(table, all.next().getKey());
            }
            table.overflow().clear();
        }
        own.reset();
        shared.reset();
    }

    /**
     * Returns how much is remembered, which never exceeds the bound: the keys, of which one with sliding logs counts as
     * many as those have entries. States shared by keys without room are not counted; they are bounded for themselves.
     *
     * @return keys and entries
     */
    public long size() {
        return room.taken();
    }

    /**
     * Returns how many keys have a state of their own.
     *
     * @return number of keys of all policies
     */
    public long keys() {
        long keys = 0;
        for (KeyTable table : tables.all()) {
            keys += table.keys();
        }
        return keys;
    }

    /** Stops the sweeper. The store can still be used, but forgets nothing by itself any more. */
    @Override
    public void close() {
        sweeper.stop();
    }

    /** Forgets all idle states now. */
    void sweep() {
        sweeper.sweep();
    }

    private static @Nullable BucketState existing(KeyTable table, String key) {
        BucketState own = table.get(key);
        return own != null ? own : table.overflow().get(table.overflow().slot(key));
    }

    private boolean giveBackUnder(
            Decision decision, BooleanSupplier wasReset, Supplier<@Nullable BucketState> place, Space space) {
        for (BucketState state = place.get(); state != null; state = place.get()) {
            Policy last = state.claim();
            if (last != BucketState.GONE) {
                try {
                    if (!wasReset.getAsBoolean()) {
                        giveBack(state, last, decision, space);
                    }
                    return true;
                } finally {
                    state.release(last);
                }
            }
        }
        return false;
    }

    private void giveBack(BucketState state, Policy last, Decision decision, Space space) {
        long now = timeSource.micros();
        Ruling.dropOld(state, last, now, space);
        long before = Weight.of(state);
        List<LimitStatus> then = decision.limits();
        for (int i = 0; i < Math.min(state.parts(), then.size()); i++) {
            if (last.limits().get(i).countsLike(then.get(i).limit())) {
                state.part(i).refund(now, decision.cost(), decision.atMicros(), then.get(i));
            }
        }
        space.shrink(before - Weight.of(state));
    }

    private void removeOwn(KeyTable table, String key) {
        BucketState state = table.get(key);
        if (state != null && state.claim() != BucketState.GONE) {
            long weight = Weight.of(state);
            table.remove(key, state);
            room.give(weight);
        }
    }
}
