package io.ratelimit.enforcement;

/**
 * Thrown when a limit cannot be applied to a request because its cost or its choice of policy fails. The request is not
 * run: a mistake in an expression never lifts a limit. Over HTTP that is a 400 if the mistake is in what the client sent,
 * else a 500.
 */
public final class RateLimitEvaluationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final boolean causedByRequest;

    RateLimitEvaluationException(String message, RuntimeException cause, boolean causedByRequest) {
        super(message, cause);
        this.causedByRequest = causedByRequest;
    }

    /** {@return whether the expression failed on something that came with an HTTP request} */
    public boolean causedByRequest() {
        return causedByRequest;
    }
}
