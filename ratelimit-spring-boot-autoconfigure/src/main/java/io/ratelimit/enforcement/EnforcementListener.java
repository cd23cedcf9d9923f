package io.ratelimit.enforcement;

/** Learns what limits decided, for metrics and events. Implementations are fast, safe for many threads, and throw nothing. */
public interface EnforcementListener {

    /**
     * Called after limits decided, on the thread of the request.
     *
     * @param enforcement what they decided
     */
    void decided(Enforcement enforcement);

    /**
     * Called when a limit could not decide because an expression or the store failed.
     *
     * @param spec the limit
     * @param error what happened
     */
    default void failed(LimitSpec spec, RuntimeException error) {}
}
