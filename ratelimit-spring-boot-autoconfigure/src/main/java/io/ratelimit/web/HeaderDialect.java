package io.ratelimit.web;

import java.util.List;

/** The header fields in which a response can tell the client its quota. */
public enum HeaderDialect {

    /**
     * {@code RateLimit-Policy} and {@code RateLimit} as structured fields
     * (<a href="https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-11">draft 11</a>).
     */
    IETF("RateLimit-Policy", "RateLimit"),

    /** {@code X-RateLimit-Limit}, {@code -Remaining} and {@code -Reset} (in seconds from now) of the tightest limit. */
    X_RATELIMIT("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"),

    /**
     * {@code RateLimit-Limit}, {@code -Remaining} and {@code -Reset}
     * (<a href="https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-03">draft 03</a>).
     */
    DRAFT_03("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"),

    /** No quota headers. */
    NONE;

    private final List<String> headerNames;

    HeaderDialect(String... headerNames) {
        this.headerNames = List.of(headerNames);
    }

    /** {@return the names of the header fields this dialect writes} */
    List<String> headerNames() {
        return headerNames;
    }
}
