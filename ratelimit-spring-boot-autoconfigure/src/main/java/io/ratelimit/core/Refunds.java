package io.ratelimit.core;

/** Where what a decision charged can be given back. */
@FunctionalInterface
public interface Refunds {

    /**
     * Gives back what a decision charged here. Called by {@link Decision#refund()} at most once for each decision, and only
     * for admitted ones.
     *
     * @param decision the decision
     */
    void refund(Decision decision);
}
