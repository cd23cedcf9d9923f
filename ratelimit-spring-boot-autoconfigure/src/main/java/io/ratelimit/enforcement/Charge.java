package io.ratelimit.enforcement;

import io.ratelimit.core.Decision;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.expression.PartitionKey;

/**
 * What one limit decided on one request.
 *
 * @param spec the limit
 * @param wireName its name for clients
 * @param key whose permits were asked for
 * @param decision the decision
 */
public record Charge(LimitSpec spec, String wireName, PartitionKey key, Decision decision) {

    /** {@return what metrics count} */
    public Outcome outcome() {
        if (decision.allowed()) {
            return decision.delayMicros() > 0 ? Outcome.DELAYED : Outcome.ALLOWED;
        }
        return spec.shadow() ? Outcome.SHADOW_REJECTED : Outcome.REJECTED;
    }

    RateLimitExceededException.Violation violation() {
        return new RateLimitExceededException.Violation(wireName, decision);
    }

    /** The ways in which a limit decides. */
    public enum Outcome {
        /** Admitted at once. */
        ALLOWED,
        /** Admitted after a wait. */
        DELAYED,
        /** Refused. */
        REJECTED,
        /** Would have been refused by a shadow limit. */
        SHADOW_REJECTED
    }
}
