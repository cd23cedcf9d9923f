package io.ratelimit.aop;

import io.ratelimit.enforcement.Enforcement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/**
 * A method that returns a {@link CompletionStage} or {@link CompletableFuture}. Permits are taken on the caller's thread
 * before the method runs; a wait holds no thread. A refusal is a failed stage. Who cancels a stage that still waits
 * frees its place.
 */
final class StageStyle extends CallStyle {

    StageStyle(Tools tools) {
        super(tools);
    }

    static boolean fits(Class<?> returnType) {
        return returnType == CompletionStage.class || returnType == CompletableFuture.class;
    }

    @Override
    @Nullable
    Object call(MethodPlan plan, MethodInvocation invocation) throws Throwable {
        Enforcement enforcement = enforce(plan, invocation);
        if (enforcement.refused()) {
            return plan.fallback(enforcement) == null
                    ? CompletableFuture.failedFuture(enforcement.toException())
                    : plan.refuse(invocation, enforcement);
        }
        if (enforcement.delayMicros() > 0) {
            return new Queued(enforcement, ((ProxyMethodInvocation) invocation).invocableClone()).start(tools());
        }
        return enforcement.awaitsOutcome() ? proceedAndReport(invocation, enforcement) : invocation.proceed();
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
        if (!(result instanceof CompletionStage<?> stage)) {
            enforcement.returned(result);
            return result;
        }
        CompletableFuture<Object> reported = new CompletableFuture<>();
        cancelTogether(reported, stage);
        forward(stage, reported, enforcement);
        return reported;
    }

    static void report(@Nullable Object value, @Nullable Throwable error, Enforcement enforcement) {
        if (error == null) {
            enforcement.returned(value);
        } else {
            enforcement.threw(error);
        }
    }

    /** The outcome is reported before anyone sees the result, so that the next call finds the permit back. */
    private static void forward(CompletionStage<?> from, CompletableFuture<Object> to, Enforcement enforcement) {
        from.whenComplete((value, error) -> {
            report(value, error, enforcement);
            if (error == null) {
                to.complete(value);
            } else {
                to.completeExceptionally(error);
            }
        });
    }

    private static void cancelTogether(CompletableFuture<Object> outer, CompletionStage<?> inner) {
        outer.whenComplete((value, error) -> {
            if (outer.isCancelled() && inner instanceof Future<?> future) {
                future.cancel(true);
            }
        });
    }

    /** A call that waits for its turn. */
    private static final class Queued {

        private final Enforcement enforcement;

        private final MethodInvocation invocation;

        private final CompletableFuture<Object> outer = new CompletableFuture<>();

        private final AtomicBoolean decided = new AtomicBoolean();

        private Queued(Enforcement enforcement, MethodInvocation invocation) {
            this.enforcement = enforcement;
            this.invocation = invocation;
        }

        private CompletableFuture<Object> start(Tools tools) {
            Runnable body = CallContext.capture().wrap(this::run);
            CompletableFuture<Void> timer = tools.pause().after(enforcement.delayMicros());
            timer.thenRunAsync(body, tools.executor());
            outer.whenComplete((value, error) -> {
                if (decided.compareAndSet(false, true)) {
                    enforcement.abandon();
                    timer.cancel(false);
                }
            });
            return outer;
        }

        private void run() {
            if (!decided.compareAndSet(false, true)) {
                return;
            }
            enforcement.doneWaiting();
            try {
                if (invocation.proceed() instanceof CompletionStage<?> stage) {
                    cancelTogether(outer, stage);
                    forward(stage, outer, enforcement);
                } else {
                    enforcement.returned(null);
                    outer.complete(null);
                }
            } catch (Throwable e) {
                enforcement.threw(e);
                outer.completeExceptionally(e);
            }
        }
    }
}
