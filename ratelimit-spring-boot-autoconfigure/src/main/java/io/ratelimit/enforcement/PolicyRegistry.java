package io.ratelimit.enforcement;

import io.ratelimit.core.TimeSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The policies that have a name: those that the application replaced or added, then those of {@code ratelimit.policies},
 * then those of the application's resolvers.
 */
public final class PolicyRegistry {

    /** What was replaced lies over what is configured. */
    private volatile Map<String, PolicyDefinition> known;

    /** Written and copied by its owner alone, under the lock. */
    private Map<String, PolicyDefinition> replaced = new HashMap<>();

    /** What was replaced when this registry was made. */
    private final Map<String, PolicyDefinition> inherited;

    private final ResolvedPolicies resolved;

    /**
     * Creates the registry.
     *
     * @param configured the policies of the configuration by name
     * @param resolvers asked in their order for other names
     * @param time the clock by which answers of resolvers grow old
     */
    public PolicyRegistry(Map<String, PolicyDefinition> configured, List<PolicyResolver> resolvers, TimeSource time) {
        this(configured, Map.of(), new ResolvedPolicies(resolvers, time));
    }

    private PolicyRegistry(
            Map<String, PolicyDefinition> configured,
            Map<String, PolicyDefinition> inherited,
            ResolvedPolicies resolved) {
        this.known = new ConcurrentHashMap<>(configured);
        this.inherited = Map.copyOf(inherited);
        this.resolved = resolved;
        inherited.forEach(this::replace);
    }

    /**
     * Finds a policy.
     *
     * @param name its name
     * @return the policy; empty if nobody knows it
     */
    public Optional<PolicyDefinition> find(String name) {
        PolicyDefinition definition = known.get(name);
        return definition != null ? Optional.of(definition) : resolved.find(name);
    }

    /** Finds a policy, or returns {@code null}. */
    @Nullable
    PolicyDefinition get(String name) {
        PolicyDefinition definition = known.get(name);
        return definition != null ? definition : resolved.find(name).orElse(null);
    }

    /**
     * Returns a policy that must exist.
     *
     * @param name its name
     * @return the policy
     * @throws IllegalArgumentException if nobody knows it
     */
    public PolicyDefinition require(String name) {
        PolicyDefinition definition = get(name);
        if (definition == null) {
            throw new IllegalArgumentException("there is no policy '%s'; %s".formatted(name, remedy(name)));
        }
        return definition;
    }

    /** {@return the names in {@code ratelimit.policies} and those that the application added, sorted} */
    public List<String> names() {
        return List.copyOf(new TreeSet<>(known.keySet()));
    }

    /**
     * Adds or replaces a policy while the application runs. Counts are kept where the limits count alike. The policy stays,
     * whatever the configuration says of this name later, until it is replaced again or changed by the endpoint.
     *
     * @param name the name by which annotations and rules refer to it
     * @param definition what they mean by it from now on
     */
    public synchronized void replace(String name, PolicyDefinition definition) {
        replaced.put(name, definition);
        known.put(name, definition);
    }

    /** Tells whether the application replaced or added this policy. */
    synchronized boolean isReplaced(String name) {
        return replaced.containsKey(name);
    }

    /** Asks the resolvers again when a name is next needed. */
    public void refresh() {
        resolved.forget();
    }

    /** Returns a registry of other configured policies, the same replaced ones and the same resolvers. */
    synchronized PolicyRegistry successor(Map<String, PolicyDefinition> newlyConfigured) {
        return new PolicyRegistry(newlyConfigured, replaced, resolved);
    }

    /** Takes over the policies of a successor, but what was replaced since it was made; both change together from now on. */
    synchronized void adopt(PolicyRegistry successor) {
        replaced.forEach((name, definition) -> {
            if (definition != successor.inherited.get(name)) {
                successor.replace(name, definition);
            }
        });
        replaced = successor.replaced;
        known = successor.known;
        refresh();
    }

    String remedy(String name) {
        List<String> names = names();
        String known = names.isEmpty() ? "" : ", or use one of " + String.join(", ", names);
        return "add ratelimit.policies.%s%s".formatted(name, known);
    }
}
