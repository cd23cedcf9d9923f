package io.ratelimit.enforcement;

/**
 * Thrown when a limit cannot be applied to a request because its cost or its choice of policy fails. The request is not
 * run: a mistake in an expression never lifts a limit.
 */
public final class RateLimitEvaluationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    RateLimitEvaluationException(String subject, RuntimeException cause) {
        super(subject + ": " + cause.getMessage(), cause);
    }
}
