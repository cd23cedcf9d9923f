package io.ratelimit.core;

import java.util.List;
import java.util.Objects;

/**
 * Thrown when an annotated method was refused; over HTTP it becomes the 429. Handle it with an
 * {@code @ExceptionHandler} to answer differently.
 */
public class RateLimitExceededException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient List<Violation> violations;

    /**
     * One limit that refused.
     *
     * @param name the name as it stands on the wire; no class or method name
     * @param decision the refusing decision
     */
    public record Violation(String name, Decision decision) {}

    /**
     * Creates the exception.
     *
     * @param violations the refusing decisions, at least one
     */
    public RateLimitExceededException(List<Violation> violations) {
        this(violations, true);
    }

    private RateLimitExceededException(List<Violation> violations, boolean withStackTrace) {
        super(message(violations), null, true, withStackTrace);
        this.violations = List.copyOf(violations);
    }

    /**
     * Creates an exception for those who answer it where they made it: it has no stack trace, which would cost more than
     * the decision did.
     *
     * @param violations the refusing decisions, at least one
     * @return the exception
     */
    public static RateLimitExceededException withoutStackTrace(List<Violation> violations) {
        return new RateLimitExceededException(violations, false);
    }

    /**
     * Returns the limits that refused.
     *
     * @return at least one violation
     */
    public List<Violation> violations() {
        return violations;
    }

    /**
     * Returns how long to wait before the same request is admitted, if nobody else asks meanwhile.
     *
     * @return microseconds: the largest among the refusing limits, or {@link Decision#NEVER} if one of them never admits
     */
    public long retryAfterMicros() {
        long largest = 0;
        for (Violation violation : violations) {
            long retryAfter = violation.decision().retryAfterMicros();
            if (retryAfter == Decision.NEVER) {
                return Decision.NEVER;
            }
            largest = Math.max(largest, retryAfter);
        }
        return largest;
    }

    /**
     * Tells whether the request was refused because the store could not be reached and the failure policy is
     * {@link FailurePolicy#DENY}; over HTTP that is a 503.
     *
     * @return whether no count stands behind the refusal
     */
    public boolean unavailable() {
        return violations.stream().noneMatch(violation -> violation.decision().counted());
    }

    private static String message(List<Violation> violations) {
        if (Objects.requireNonNull(violations, "violations").isEmpty()) {
            throw new IllegalArgumentException("a refusal needs at least one violation");
        }
        return "Rate limit exceeded: "
                + String.join(", ", violations.stream().map(Violation::name).toList());
    }
}
