package io.ratelimit.enforcement;

import io.ratelimit.core.Limit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Changes limits while the application runs. All limits are made again beside the old ones, by the code that makes them at
 * start-up and with the same checks; only when nothing is wrong do the new ones take the place of the old, and else
 * nothing changes. Counts belong to names and survive wherever limits count alike ({@link Limit#countsLike}).
 */
public final class LiveLimits {

    private static final Consumer<PolicyRegistry> UNCHANGED = policies -> {};

    private final PolicyRegistry policies;

    private final LimitRegistry limits;

    private final LimitSpecFactory factory;

    private final Supplier<Configuration> atStart;

    private @Nullable Configuration current;

    private LimitOverrides inlineOverrides = LimitOverrides.none();

    private LimitOverrides policyOverrides = LimitOverrides.none();

    /**
     * Creates the place of changes.
     *
     * @param policies the policies in force
     * @param limits the limits in force
     * @param factory made them
     * @param atStart what they were made of, asked for with the first change
     */
    public LiveLimits(
            PolicyRegistry policies, LimitRegistry limits, LimitSpecFactory factory, Supplier<Configuration> atStart) {
        this.policies = policies;
        this.limits = limits;
        this.factory = factory;
        this.atStart = atStart;
    }

    /** Where limits are declared: the rules, the annotated methods. */
    @FunctionalInterface
    public interface Place {

        /**
         * Makes the limits of this place again.
         *
         * @param factory makes them
         * @return puts them into force; throws nothing
         * @throws RateLimitConfigurationException if one cannot work
         */
        Runnable prepare(LimitSpecFactory factory);
    }

    /**
     * What limits are made of.
     *
     * @param policies the configured policies by name
     * @param defaultKey the key of limits that name none
     * @param mode whether limits refuse at all
     * @param places where limits are declared
     */
    public record Configuration(
            Map<String, PolicyDefinition> policies,
            String defaultKey,
            LimitSpecFactory.Mode mode,
            List<Place> places) {}

    /**
     * Replaces all limits.
     *
     * @param configuration what the new ones are made of
     * @throws RateLimitConfigurationException if one of them cannot work; the old ones stay in force
     */
    public synchronized void apply(Configuration configuration) {
        apply(configuration, inlineOverrides, policyOverrides, UNCHANGED);
    }

    /**
     * Changes the limits of one name: a policy, or a rule or method with limits of its own. The change holds until the
     * configuration itself says something new of this limit.
     *
     * @param name its name
     * @param change makes the new limits of the old
     * @return the new limits
     * @throws IllegalArgumentException if there is no such name, or its limits stand elsewhere
     * @throws RateLimitConfigurationException if the new limits cannot work; the old ones stay in force
     */
    public synchronized List<Limit> change(String name, UnaryOperator<List<Limit>> change) {
        List<LimitSpec> declared = limits.specs(name);
        for (LimitSpec spec : declared) {
            if (spec.isInline()) {
                List<Limit> changed = change.apply(spec.limits());
                apply(current(), inlineOverrides.with(name, spec.limits(), changed), policyOverrides, UNCHANGED);
                return changed;
            }
        }
        if (!policies.names().contains(name)) {
            throw new IllegalArgumentException(
                    declared.isEmpty()
                            ? "no rule, method or policy of the configuration has this name; see GET ratelimit"
                            : "its limits come from a policy; change that policy");
        }
        return changePolicy(name, policies.require(name), change);
    }

    /** What the application replaced is replaced again: the configuration has no say in it. */
    private List<Limit> changePolicy(String name, PolicyDefinition definition, UnaryOperator<List<Limit>> change) {
        List<Limit> old = definition.policy().limits();
        List<Limit> changed = change.apply(old);
        if (policies.isReplaced(name)) {
            PolicyDefinition replacement = definition.withLimits(name, changed);
            apply(current(), inlineOverrides, policyOverrides, next -> next.replace(name, replacement));
        } else {
            apply(current(), inlineOverrides, policyOverrides.with(name, old, changed), UNCHANGED);
        }
        return changed;
    }

    private Configuration current() {
        return current != null ? current : atStart.get();
    }

    private void apply(
            Configuration configuration,
            LimitOverrides inlineChanges,
            LimitOverrides policyChanges,
            Consumer<PolicyRegistry> replacement) {
        LimitOverrides inline = inlineChanges.attempt();
        LimitOverrides ofPolicies = policyChanges.attempt();
        PolicyRegistry newPolicies = policies.successor(overridden(configuration.policies(), ofPolicies));
        replacement.accept(newPolicies);
        LimitRegistry newLimits = new LimitRegistry();
        LimitSpecFactory successor =
                factory.successor(newPolicies, newLimits, configuration.defaultKey(), configuration.mode(), inline);
        List<Runnable> commits = new ArrayList<>();
        configuration.places().forEach(place -> commits.add(place.prepare(successor)));
        policies.adopt(newPolicies);
        limits.adopt(newLimits);
        commits.forEach(Runnable::run);
        current = configuration;
        inlineOverrides = inline.applied();
        policyOverrides = ofPolicies.applied();
    }

    private static Map<String, PolicyDefinition> overridden(
            Map<String, PolicyDefinition> configured, LimitOverrides overrides) {
        Map<String, PolicyDefinition> result = new LinkedHashMap<>();
        configured.forEach((name, definition) -> {
            List<Limit> inForce = overrides.apply(name, definition.policy().limits());
            result.put(name, definition.withLimits(name, inForce));
        });
        return result;
    }
}
