package io.ratelimit.enforcement;

import io.ratelimit.expression.InvalidExpressionException;

/**
 * Thrown at start-up when a limit cannot work as it is written. Its message names the thing, the value and the remedy:
 * {@code policy 'login': window '15x' is not a duration; use 15m or PT15M}.
 */
public final class RateLimitConfigurationException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String subject;

    private final String problem;

    private final String remedy;

    /**
     * Creates the exception.
     *
     * @param subject what is configured, such as "policy 'login'" or "method CatalogController.search"
     * @param problem what is wrong, with the value as it was given
     * @param remedy what to write instead
     */
    public RateLimitConfigurationException(String subject, String problem, String remedy) {
        super(subject + ": " + problem + "; " + remedy);
        this.subject = subject;
        this.problem = problem;
        this.remedy = remedy;
    }

    static RateLimitConfigurationException of(String subject, InvalidExpressionException cause) {
        return new RateLimitConfigurationException(subject, cause.problem(), cause.remedy());
    }

    /** {@return what is configured} */
    public String subject() {
        return subject;
    }

    /** {@return what is wrong, with the value as it was given} */
    public String problem() {
        return problem;
    }

    /** {@return what to write instead} */
    public String remedy() {
        return remedy;
    }
}
