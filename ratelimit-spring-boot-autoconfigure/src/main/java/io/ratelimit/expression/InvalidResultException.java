package io.ratelimit.expression;

/** Thrown when an expression gives something that it must not give, such as a negative cost. */
final class InvalidResultException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    InvalidResultException(String message) {
        super(message);
    }
}
