package io.ratelimit.core;

import java.util.Objects;

/**
 * A wish for permits: so many of this policy for this partition key.
 *
 * @param policy the limits that decide
 * @param key the partition key, any text
 * @param cost number of permits; 0 is always admitted and charges nothing
 * @param mode whether the permits may come back
 */
public record Acquisition(Policy policy, String key, long cost, Mode mode) {

    /** Whether what is charged is final. */
    public enum Mode {
        /** The permits are spent. */
        SPEND,
        /** The permits are reserved and may be refunded after the call; refusals must not be remembered elsewhere. */
        RESERVE
    }

    /**
     * Validates the cost.
     *
     * @throws IllegalArgumentException if the cost is negative
     */
    public Acquisition {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(key, "key");
        requireCost(policy, cost);
    }

    /**
     * Creates a wish for permits that are spent.
     *
     * @param policy the limits that decide
     * @param key the partition key
     * @param cost number of permits
     * @return the acquisition
     */
    public static Acquisition of(Policy policy, String key, long cost) {
        return new Acquisition(policy, key, cost, Mode.SPEND);
    }

    /**
     * Checks a cost.
     *
     * @param policy named in the message
     * @param cost the cost to check
     * @throws IllegalArgumentException if the cost is negative
     */
    public static void requireCost(Policy policy, long cost) {
        if (cost < 0) {
            throw new IllegalArgumentException(
                    "policy '%s': cost %d is negative; use 0 to look without charging, or a positive number"
                            .formatted(policy.name(), cost));
        }
    }
}
