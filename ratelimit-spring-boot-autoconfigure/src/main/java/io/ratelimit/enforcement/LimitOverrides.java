package io.ratelimit.enforcement;

import io.ratelimit.core.Limit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Limits that an operator changed while the application runs. Each holds as long as the configuration says of this limit
 * what it said when the operator changed it; new words in the configuration win.
 */
final class LimitOverrides {

    private final Map<String, Entry> entries;

    private final Set<String> applied = ConcurrentHashMap.newKeySet();

    private LimitOverrides(Map<String, Entry> entries) {
        this.entries = Map.copyOf(entries);
    }

    private record Entry(List<Limit> configured, List<Limit> changed) {}

    static LimitOverrides none() {
        return new LimitOverrides(Map.of());
    }

    /**
     * Adds a change.
     *
     * @param name of a bucket with inline limits, or of a policy
     * @param current the limits before the change
     * @param changed the limits from now on
     * @return all changes
     */
    LimitOverrides with(String name, List<Limit> current, List<Limit> changed) {
        Map<String, Entry> all = new HashMap<>(entries);
        Entry earlier = entries.get(name);
        all.put(name, new Entry(earlier == null ? current : earlier.configured, changed));
        return new LimitOverrides(all);
    }

    /** Returns the same changes, none of them applied yet: each attempt takes note for itself, and may fail. */
    LimitOverrides attempt() {
        return new LimitOverrides(entries);
    }

    /** Returns the limits that are in force where the configuration says {@code configured}. */
    List<Limit> apply(String name, List<Limit> configured) {
        Entry entry = entries.get(name);
        if (entry == null || !entry.configured.equals(configured)) {
            return configured;
        }
        applied.add(name);
        return entry.changed;
    }

    /** Forgets the changes that were not applied, so that they never come back. */
    LimitOverrides applied() {
        Map<String, Entry> kept = new HashMap<>(entries);
        kept.keySet().retainAll(applied);
        return new LimitOverrides(kept);
    }
}
