package io.ratelimit.expression;

import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationException;

/**
 * Says whose mistake the failure of an expression is. An expression that reads nothing of the request, or whose beans fail
 * by themselves, is the application's; what fails on what the client sent is the client's.
 */
final class Blame {

    private static final int MAX_DEPTH = 8;

    private Blame() {}

    /**
     * Tells whether a failure is to be put down to what the client sent.
     *
     * @param traits of the expression that failed
     * @param foreignCode whether code of the application may have failed for reasons of its own
     */
    static boolean isOnClient(ExpressionInspector traits, boolean foreignCode, RuntimeException failure) {
        return traits.readsInput() && (!foreignCode || isAboutInput(failure));
    }

    /** {@return whether the failure is about a value, and not, for example, about a database that is down} */
    private static boolean isAboutInput(RuntimeException failure) {
        if (failure instanceof InvalidResultException) {
            return true;
        }
        if (failure instanceof EvaluationException && failure.getCause() == null) {
            return true;
        }
        @Nullable Throwable current = failure;
        for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
            if (current instanceof IllegalArgumentException) {
                return true;
            }
            current = current.getCause();
        }
        return false;
    }
}
