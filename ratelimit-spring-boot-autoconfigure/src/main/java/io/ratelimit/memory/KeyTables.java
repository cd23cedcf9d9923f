package io.ratelimit.memory;

import io.ratelimit.core.Policy;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** The tables by policy name. Each policy remembers its own, so that a decision needs no search for it. */
final class KeyTables {

    private final ConcurrentHashMap<String, KeyTable> byName = new ConcurrentHashMap<>();

    private final boolean packing;

    /**
     * Creates no tables yet.
     *
     * @param packing whether states may be packed, because the clock never runs backwards
     */
    KeyTables(boolean packing) {
        this.packing = packing;
    }

    boolean packing() {
        return packing;
    }

    KeyTable of(Policy policy) {
        return policy.counts() instanceof KeyTable table && table.isOf(this) ? table : find(policy);
    }

    private KeyTable find(Policy policy) {
        KeyTable table = byName.computeIfAbsent(
                policy.name(),
                name -> new KeyTable(this, name, ThreadLocalRandom.current().nextLong()));
        policy.counts(table);
        return table;
    }

    Collection<KeyTable> all() {
        return byName.values();
    }
}
