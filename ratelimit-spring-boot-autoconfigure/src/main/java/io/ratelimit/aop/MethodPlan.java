package io.ratelimit.aop;

import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Charge;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.expression.CallParameters;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about a limited method before it is called.
 *
 * @param method the implementation
 * @param specs its limits, at least one
 * @param fallbacks the fallback of each limit that has one
 * @param parameters the names of the arguments
 * @param style how the limits are put around a call, according to what the method returns
 */
record MethodPlan(
        Method method,
        List<LimitSpec> specs,
        Map<LimitSpec, Fallback> fallbacks,
        CallParameters parameters,
        CallStyle style) {

    /** Returns the fallback of the first limit that refused; {@code null} if it has none. */
    @Nullable
    Fallback fallback(Enforcement refused) {
        for (Charge charge : refused.charges()) {
            if (!charge.decision().allowed()) {
                return fallbacks.get(charge.spec());
            }
        }
        return null;
    }

    /** Answers a refused call. */
    @Nullable
    Object refuse(MethodInvocation invocation, Enforcement refused) throws Throwable {
        RateLimitExceededException refusal = refused.toException();
        Fallback fallback = fallback(refused);
        if (fallback == null) {
            throw refusal;
        }
        return fallback.call(invocation.getThis(), invocation.getArguments(), refusal);
    }

    /** Says in one line what limits the method: "method Catalog.find: 2 per 1m (FIXED_WINDOW) for each ip". */
    String describe() {
        String subject = specs.get(0).subject();
        return specs.stream()
                .map(spec -> describe(spec, subject))
                .collect(Collectors.joining("; ", subject + ": ", ""));
    }

    private static String describe(LimitSpec spec, String subject) {
        boolean ownCount = subject.equals(LimitDeclaration.METHOD + spec.bucket());
        String name = ownCount ? "" : ", counted as '%s'".formatted(spec.bucket());
        return spec.describe() + name + (spec.shadow() ? ", shadow" : "");
    }

    boolean declares(Class<? extends Exception> type) {
        return Arrays.stream(method.getExceptionTypes()).anyMatch(declared -> declared.isAssignableFrom(type));
    }
}
