package io.ratelimit.core;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A named list of limits that decide together: all must admit, then all are charged, else none.
 *
 * <p>The name identifies the buckets: two policies of one name share their counts wherever their limits count alike
 * ({@link Limit#countsLike}), position by position.
 *
 * @param name name of the bucket family, never empty
 * @param limits at least one limit
 * @param onFailure what to do while Redis cannot be reached; {@code null} for the application's setting
 */
public record Policy(String name, List<Limit> limits, @Nullable FailurePolicy onFailure) {

    /**
     * Validates and copies.
     *
     * @throws IllegalArgumentException if the name or the list is empty
     */
    public Policy {
        Objects.requireNonNull(name, "name");
        limits = List.copyOf(limits);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a policy needs a name");
        }
        if (limits.isEmpty()) {
            throw new IllegalArgumentException("policy '%s' has no limits; give it at least one".formatted(name));
        }
    }

    /**
     * Creates a policy.
     *
     * @param name name of the bucket family
     * @param limits at least one limit
     * @return the policy
     */
    public static Policy of(String name, Limit... limits) {
        return new Policy(name, List.of(limits), null);
    }

    /**
     * Returns the same limits under another name, that is with other counts.
     *
     * @param newName name of the bucket family
     * @return the renamed policy
     */
    public Policy named(String newName) {
        return newName.equals(name) ? this : new Policy(newName, limits, onFailure);
    }
}
