package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.RateLimitEvaluationException;
import jakarta.servlet.ServletException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Finds the refusal within the exceptions that frameworks wrap around it; what an application wraps stays wrapped. */
final class Rejected {

    private static final int MAX_DEPTH = 8;

    private Rejected() {}

    static @Nullable RateLimitExceededException by(@Nullable Throwable failure) {
        return find(failure, RateLimitExceededException.class);
    }

    /** {@return whether a limit could not be applied because of what the client sent} */
    static boolean asInvalid(@Nullable Throwable failure) {
        RateLimitEvaluationException invalid = find(failure, RateLimitEvaluationException.class);
        return invalid != null && invalid.causedByRequest();
    }

    private static <T extends Throwable> @Nullable T find(@Nullable Throwable failure, Class<T> type) {
        Throwable current = failure;
        for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
            if (type.isInstance(current)) {
                return type.cast(current);
            }
            if (!isWrapper(current)) {
                return null;
            }
            current = current.getCause();
        }
        return null;
    }

    private static boolean isWrapper(Throwable failure) {
        return failure instanceof ServletException
                || failure instanceof CompletionException
                || failure instanceof ExecutionException
                || failure instanceof InvocationTargetException
                || failure instanceof UndeclaredThrowableException;
    }
}
