package io.ratelimit.memory;

import io.ratelimit.core.BucketState;
import io.ratelimit.core.Policy;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The states of all keys of one policy name. */
final class KeyTable {

    private final KeyTables owner;

    private final String name;

    private final ConcurrentHashMap<String, BucketState> states = new ConcurrentHashMap<>();

    private final Overflow overflow;

    KeyTable(KeyTables owner, String name, long seed) {
        this.owner = owner;
        this.name = name;
        this.overflow = new Overflow(seed);
    }

    boolean isOf(KeyTables tables) {
        return owner == tables;
    }

    String name() {
        return name;
    }

    Overflow overflow() {
        return overflow;
    }

    /** Creates the state of a key that was never seen, claimed by the caller. */
    BucketState fresh(Policy policy) {
        return owner.packing() ? BucketState.freshAndPacked(policy) : BucketState.fresh(policy);
    }

    @Nullable
    BucketState get(String key) {
        return states.get(key);
    }

    /** Publishes a state claimed by the caller, unless the key has one. */
    boolean add(String key, BucketState state) {
        return states.putIfAbsent(key, state) == null;
    }

    /** Puts another state, claimed by the caller like the old one, in its place. */
    void replace(String key, BucketState old, BucketState state) {
        states.replace(key, old, state);
        old.release(BucketState.GONE);
    }

    /** Forgets a state claimed by the caller. */
    void remove(String key, BucketState state) {
        states.remove(key, state);
        state.release(BucketState.GONE);
    }

    long keys() {
        return states.mappingCount();
    }

    Iterator<Map.Entry<String, BucketState>> iterator() {
        return states.entrySet().iterator();
    }
}
