package io.ratelimit.memory;

import io.ratelimit.core.Policy;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The tables by policy name. Policies are few, long-lived objects, so the tables of those lately used are found by
 * identity, without a second map lookup for each decision.
 */
final class KeyTables {

    private static final int RECENT = 64;

    private final ConcurrentHashMap<String, KeyTable> byName = new ConcurrentHashMap<>();

    /** Read and written without order: a record is immutable and found only by the very policy it holds. */
    private final @Nullable Recent[] recent = new Recent[RECENT];

    private record Recent(Policy policy, KeyTable table) {}

    KeyTable of(Policy policy) {
        int slot = System.identityHashCode(policy) & (RECENT - 1);
        Recent found = recent[slot];
        if (found != null && found.policy == policy) {
            return found.table;
        }
        KeyTable table = byName.computeIfAbsent(
                policy.name(),
                name -> new KeyTable(name, ThreadLocalRandom.current().nextLong()));
        recent[slot] = new Recent(policy, table);
        return table;
    }

    Collection<KeyTable> all() {
        return byName.values();
    }
}
