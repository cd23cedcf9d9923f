package io.ratelimit.aop;

import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.RateLimitConfigurationException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/**
 * A method of the same class that answers instead of the refused one. It has the same parameters, or the same and then
 * the exception.
 *
 * @param method the method
 * @param takesException whether it wants to know what refused
 */
record Fallback(Method method, boolean takesException) {

    /** Finds the method, preferring one that takes the exception. */
    static Fallback find(String subject, String name, Class<?> type, Method limited) {
        Class<?>[] plain = limited.getParameterTypes();
        Class<?>[] extended = Arrays.copyOf(plain, plain.length + 1);
        extended[plain.length] = RateLimitExceededException.class;
        Method method = ReflectionUtils.findMethod(type, name, extended);
        boolean takesException = method != null;
        if (method == null) {
            method = ReflectionUtils.findMethod(type, name, plain);
        }
        if (method == null || method.equals(limited)) {
            throw new RateLimitConfigurationException(
                    subject,
                    "fallback '%s' is no method of %s with these parameters".formatted(name, type.getSimpleName()),
                    "add %s, optionally with a RateLimitExceededException as last parameter"
                            .formatted(signature(name, limited)));
        }
        requireReturnType(subject, name, method, limited);
        ReflectionUtils.makeAccessible(method);
        return new Fallback(method, takesException);
    }

    private static void requireReturnType(String subject, String name, Method fallback, Method limited) {
        Class<?> wanted = limited.getReturnType();
        if (wanted != void.class && !wanted.isAssignableFrom(fallback.getReturnType())) {
            throw new RateLimitConfigurationException(
                    subject,
                    "fallback '%s' returns %s"
                            .formatted(name, fallback.getReturnType().getSimpleName()),
                    "let it return %s".formatted(wanted.getSimpleName()));
        }
    }

    private static String signature(String name, Method limited) {
        String parameters = String.join(
                ", ",
                Arrays.stream(limited.getParameterTypes())
                        .map(Class::getSimpleName)
                        .toList());
        return "%s %s(%s)".formatted(limited.getReturnType().getSimpleName(), name, parameters);
    }

    @Nullable
    Object call(@Nullable Object target, @Nullable Object[] arguments, RateLimitExceededException refusal)
            throws Throwable {
        @Nullable Object[] all = arguments;
        if (takesException) {
            all = Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = refusal;
        }
        try {
            return method.invoke(target, all);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
