package io.ratelimit.aop;

import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Puts the limits of a method around its calls. */
final class RateLimitInterceptor implements MethodInterceptor {

    private final Supplier<MethodPlans> source;

    private volatile @Nullable MethodPlans plans;

    RateLimitInterceptor(Supplier<MethodPlans> source) {
        this.source = source;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type =
                target != null ? target.getClass() : invocation.getMethod().getDeclaringClass();
        MethodPlan plan = plans().find(invocation.getMethod(), type);
        return plan == null ? invocation.proceed() : plan.style().call(plan, invocation);
    }

    MethodPlans plans() {
        MethodPlans known = plans;
        if (known == null) {
            known = source.get();
            plans = known;
        }
        return known;
    }
}
