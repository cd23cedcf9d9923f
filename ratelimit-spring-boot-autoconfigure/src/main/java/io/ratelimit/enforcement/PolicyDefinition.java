package io.ratelimit.enforcement;

import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A policy as it is configured.
 *
 * @param policy the limits
 * @param countWhen SpEL that decides afterwards whether a request counts, unless the limit itself says so; {@code null}
 *     if every request counts
 */
public record PolicyDefinition(Policy policy, @Nullable String countWhen) {

    /**
     * Creates a policy under which every request counts.
     *
     * @param policy the limits
     * @return the definition
     */
    public static PolicyDefinition of(Policy policy) {
        return new PolicyDefinition(policy, null);
    }

    PolicyDefinition withLimits(String name, List<Limit> limits) {
        return new PolicyDefinition(new Policy(name, limits, policy.onFailure()), countWhen);
    }
}
