package io.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/**
 * How a call or a request ended, as {@code countWhen} sees it.
 *
 * @param result what the call returned; {@code null} for nothing, and for requests that no annotation limits
 * @param error what it threw; {@code null} if it ended normally
 * @param status the status of the HTTP response; outside a request 500 after an error and else 200
 */
public record Outcome(@Nullable Object result, @Nullable Throwable error, int status) {

    private static final int OK = 200;

    private static final int SERVER_ERROR = 500;

    /**
     * Describes a call that returned, outside a request.
     *
     * @param result what it returned
     * @return the outcome
     */
    public static Outcome returned(@Nullable Object result) {
        return new Outcome(result, null, OK);
    }

    /**
     * Describes a call that threw, outside a request.
     *
     * @param error what it threw
     * @return the outcome
     */
    public static Outcome threw(Throwable error) {
        return new Outcome(null, error, SERVER_ERROR);
    }

    /**
     * Returns this outcome with the status of the response.
     *
     * @param newStatus the status of the HTTP response
     * @return the completed outcome
     */
    public Outcome withStatus(int newStatus) {
        return new Outcome(result, error, newStatus);
    }
}
