package io.ratelimit.enforcement;

import io.ratelimit.core.TimeSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The policies that have a name: those of {@code ratelimit.policies}, then those of the application's resolvers. */
public final class PolicyRegistry {

    private volatile Map<String, PolicyDefinition> configured;

    private final ResolvedPolicies resolved;

    /**
     * Creates the registry.
     *
     * @param configured the policies of the configuration by name
     * @param resolvers asked in their order for other names
     * @param time the clock by which answers of resolvers grow old
     */
    public PolicyRegistry(Map<String, PolicyDefinition> configured, List<PolicyResolver> resolvers, TimeSource time) {
        this(configured, new ResolvedPolicies(resolvers, time));
    }

    private PolicyRegistry(Map<String, PolicyDefinition> configured, ResolvedPolicies resolved) {
        this.configured = new ConcurrentHashMap<>(configured);
        this.resolved = resolved;
    }

    /**
     * Finds a policy.
     *
     * @param name its name
     * @return the policy; empty if nobody knows it
     */
    public Optional<PolicyDefinition> find(String name) {
        PolicyDefinition definition = configured.get(name);
        return definition != null ? Optional.of(definition) : resolved.find(name);
    }

    /**
     * Returns a policy that must exist.
     *
     * @param name its name
     * @return the policy
     * @throws IllegalArgumentException if nobody knows it
     */
    public PolicyDefinition require(String name) {
        PolicyDefinition definition = configured.get(name);
        if (definition != null) {
            return definition;
        }
        return find(name)
                .orElseThrow(() ->
                        new IllegalArgumentException("there is no policy '%s'; %s".formatted(name, remedy(name))));
    }

    /** {@return the names in {@code ratelimit.policies}, sorted} */
    public List<String> names() {
        return List.copyOf(new TreeSet<>(configured.keySet()));
    }

    /**
     * Adds or replaces a policy while the application runs. Counts are kept where the limits count alike.
     *
     * @param name the name by which annotations and rules refer to it
     * @param definition what they mean by it from now on
     */
    public void replace(String name, PolicyDefinition definition) {
        configured.put(name, definition);
    }

    /** Asks the resolvers again when a name is next needed. */
    public void refresh() {
        resolved.forget();
    }

    /** Returns a registry of other configured policies and the same resolvers. */
    PolicyRegistry successor(Map<String, PolicyDefinition> newlyConfigured) {
        return new PolicyRegistry(newlyConfigured, resolved);
    }

    /** Takes over the policies of a successor; both change together from now on. */
    void adopt(PolicyRegistry successor) {
        configured = successor.configured;
        refresh();
    }

    String remedy(String name) {
        List<String> names = names();
        String known = names.isEmpty() ? "" : ", or use one of " + String.join(", ", names);
        return "add ratelimit.policies.%s%s".formatted(name, known);
    }
}
