package io.ratelimit.core;

/** What happens to a decision while the shared store cannot be reached. */
public enum FailurePolicy {

    /** This node's memory limiter decides. */
    LOCAL,

    /** The request is admitted and nothing is counted. */
    ALLOW,

    /** The request is refused with status 503. */
    DENY
}
