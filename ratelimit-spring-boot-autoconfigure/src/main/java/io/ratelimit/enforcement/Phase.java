package io.ratelimit.enforcement;

/** When a rule decides. */
public enum Phase {

    /** Before Spring Security, so that refused requests cost no authentication. */
    BEFORE_SECURITY,

    /** After Spring Security, when the principal is known. */
    AFTER_SECURITY
}
