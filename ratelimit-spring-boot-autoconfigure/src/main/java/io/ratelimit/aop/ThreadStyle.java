package io.ratelimit.aop;

import io.ratelimit.enforcement.Enforcement;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A method that returns its result, or hands its work to the web framework. The call waits on its own thread. Permits
 * are taken before the method runs, and so before the body of a {@code Callable} or a stream that it returns.
 */
final class ThreadStyle extends CallStyle {

    ThreadStyle(Tools tools) {
        super(tools);
    }

    @Override
    @Nullable
    Object call(MethodPlan plan, MethodInvocation invocation) throws Throwable {
        Enforcement enforcement = enforce(plan, invocation);
        if (enforcement.refused()) {
            return plan.refuse(invocation, enforcement);
        }
        if (enforcement.delayMicros() > 0) {
            await(plan, enforcement);
        }
        return enforcement.awaitsOutcome() ? proceedAndReport(invocation, enforcement) : invocation.proceed();
    }

    private void await(MethodPlan plan, Enforcement enforcement) throws InterruptedException {
        try {
            tools().pause().await(enforcement.delayMicros());
            enforcement.doneWaiting();
        } catch (InterruptedException e) {
            enforcement.abandon();
            if (plan.declares(InterruptedException.class)) {
                throw e;
            }
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted while waiting for a permit");
        }
    }

    private static @Nullable Object proceedAndReport(MethodInvocation invocation, Enforcement enforcement)
            throws Throwable {
        Object result;
        try {
            result = invocation.proceed();
        } catch (Throwable e) {
            enforcement.threw(e);
            throw e;
        }
        return report(result, enforcement);
    }

    /** Reports the result now or when it is there; returns what the caller gets. */
    private static @Nullable Object report(@Nullable Object result, Enforcement enforcement) {
        if (result instanceof CompletionStage<?> stage) {
            stage.whenComplete((value, error) -> StageStyle.report(value, error, enforcement));
            return result;
        }
        if (result instanceof Callable<?> callable) {
            return reporting(callable, enforcement);
        }
        if (!WebResults.endsWithRequest(result, enforcement)) {
            enforcement.returned(result);
        }
        return result;
    }

    private static Callable<@Nullable Object> reporting(Callable<?> callable, Enforcement enforcement) {
        return () -> {
            Object value;
            try {
                value = callable.call();
            } catch (Exception | Error e) {
                enforcement.threw(e);
                throw e;
            }
            enforcement.returned(value);
            return value;
        };
    }
}
