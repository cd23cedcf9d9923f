package io.ratelimit.core;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A named list of limits that decide together: all must admit, then all are charged, else none.
 *
 * <p>The name identifies the buckets: two policies of one name share their counts wherever their limits count alike
 * ({@link Limit#countsLike}), position by position. Policies are values: equal if name, limits and failure policy are.
 */
public final class Policy {

    /** The most limits of a policy, because one script of Redis has to hold them. */
    public static final int MOST_LIMITS = 12;

    private final String name;

    private final List<Limit> limits;

    private final @Nullable FailurePolicy onFailure;

    private final int hash;

    private final @Nullable Packing packing;

    /** Read and written without order, for its owner checks it and its fields are final. */
    private @Nullable Object counts;

    /**
     * Creates a policy.
     *
     * @param name name of the bucket family, never empty
     * @param limits at least one limit, at most {@value #MOST_LIMITS}
     * @param onFailure what to do while Redis cannot be reached; {@code null} for the application's setting
     * @throws IllegalArgumentException if the name or the list is empty, or the list is too long
     */
    public Policy(String name, List<Limit> limits, @Nullable FailurePolicy onFailure) {
        this.name = Objects.requireNonNull(name, "name");
        this.limits = List.copyOf(limits);
        this.onFailure = onFailure;
        this.hash = Objects.hash(name, limits, onFailure);
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a policy needs a name");
        }
        if (limits.isEmpty()) {
            throw new IllegalArgumentException("policy '%s' has no limits; give it at least one".formatted(name));
        }
        this.packing = limits.size() == 1 ? Packing.of(limits.get(0)) : null;
        if (limits.size() > MOST_LIMITS) {
            throw new IllegalArgumentException(
                    "policy '%s' has %d limits; at most %d can decide together, so leave some out"
                            .formatted(name, limits.size(), MOST_LIMITS));
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

    /** {@return the name of the bucket family, never empty} */
    public String name() {
        return name;
    }

    /** {@return the limits, at least one} */
    public List<Limit> limits() {
        return limits;
    }

    /** {@return what to do while Redis cannot be reached; {@code null} for the application's setting} */
    public @Nullable FailurePolicy onFailure() {
        return onFailure;
    }

    /**
     * Returns what a backend put here to find this policy's counts without a search.
     *
     * @return that object, perhaps another backend's; {@code null} if there is none yet
     */
    public @Nullable Object counts() {
        return counts;
    }

    /**
     * Keeps something for a backend, in place of what was kept before. Other threads may see it late or never.
     *
     * @param place an object with final fields only, which tells whose it is
     */
    public void counts(Object place) {
        counts = place;
    }

    /** How a state is read from one word; {@code null} for several limits, or if it does not fit. */
    @Nullable
    Packing packing() {
        return packing;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Policy that
                        && hash == that.hash
                        && name.equals(that.name)
                        && limits.equals(that.limits)
                        && onFailure == that.onFailure;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "Policy[name=%s, limits=%s, onFailure=%s]".formatted(name, limits, onFailure);
    }
}
