package io.ratelimit.enforcement;

import io.ratelimit.core.Policy;
import java.util.Optional;

/**
 * Finds policies that stand in no configuration file, for example in a database. Declare a bean of this type; it is
 * asked for names that {@code ratelimit.policies} does not have, and its answers are kept for a minute.
 */
@FunctionalInterface
public interface PolicyResolver {

    /**
     * Finds a policy.
     *
     * @param name the name that an annotation, a rule or a plan gave
     * @return the policy; empty if there is none of this name
     */
    Optional<Policy> resolve(String name);

    /**
     * Finds a policy together with what decides afterwards whether a request counts, as {@code count-when} does in
     * {@code ratelimit.policies}. Implement this method too if policies of yours have such an expression; by default none has.
     *
     * @param name the name that an annotation, a rule or a plan gave
     * @return the policy; empty if there is none of this name
     */
    default Optional<PolicyDefinition> define(String name) {
        return resolve(name).map(PolicyDefinition::of);
    }
}
