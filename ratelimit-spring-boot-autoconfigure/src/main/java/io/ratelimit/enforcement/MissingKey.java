package io.ratelimit.enforcement;

/** What happens to a request whose key is null or empty or cannot be computed. */
public enum MissingKey {

    /** It counts under the client's address; outside a request all such calls of a limit share one bucket. */
    CLIENT_IP,

    /** It is refused, without Retry-After. */
    DENY,

    /** It is not limited. */
    SKIP
}
