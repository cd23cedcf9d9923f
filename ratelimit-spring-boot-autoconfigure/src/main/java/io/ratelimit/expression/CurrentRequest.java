package io.ratelimit.expression;

import java.util.Optional;

/** Finds the HTTP request that the current thread handles. */
@FunctionalInterface
public interface CurrentRequest {

    /**
     * Returns the request of the current thread.
     *
     * @return the request; empty on threads that handle none, such as those of schedulers and queues
     */
    Optional<RequestRoot> get();

    /**
     * Returns the answer of an application without a web server.
     *
     * @return a source that never finds a request
     */
    static CurrentRequest none() {
        return Optional::empty;
    }
}
