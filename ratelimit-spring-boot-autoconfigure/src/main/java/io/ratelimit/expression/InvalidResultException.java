package io.ratelimit.expression;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when an expression gives something that it must not give, such as a negative cost. Its message may be logged: it
 * shows values in one short line, and never one that may be a credential.
 */
public final class InvalidResultException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private static final int MAX_LENGTH = 64;

    InvalidResultException(String message) {
        super(message);
    }

    /** Quotes what an expression gave; what it reads from a header or the request stays untold. */
    static String quoted(ExpressionInspector traits, @Nullable Object value) {
        if (traits.touchesSecret()) {
            return "a value";
        }
        if (value == null || value instanceof Number || value instanceof Boolean) {
            return bounded(String.valueOf(value));
        }
        return value instanceof CharSequence text
                ? "'%s'".formatted(bounded(text.toString()))
                : "an object of " + value.getClass().getSimpleName();
    }

    private static String bounded(String text) {
        String cut = text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH) + "...";
        return cut.replaceAll("[\\p{Cntrl}\\u0085\\u2028\\u2029]", " ");
    }
}
