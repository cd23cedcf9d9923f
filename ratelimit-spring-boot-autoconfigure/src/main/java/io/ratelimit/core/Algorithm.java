package io.ratelimit.core;

/** The ways in which a {@link Limit} counts. The class of the same name explains each one. */
public enum Algorithm {

    /** Counts per window of the clock. */
    FIXED_WINDOW,

    /** Remembers every admitted request for one window. */
    SLIDING_LOG,

    /** Weighs the previous window's count by how much of it still overlaps. */
    SLIDING_COUNTER,

    /** Tokens flow in steadily and are spent in bursts. */
    TOKEN_BUCKET,

    /** Requests queue and leave at a steady rate. */
    LEAKY_BUCKET
}
