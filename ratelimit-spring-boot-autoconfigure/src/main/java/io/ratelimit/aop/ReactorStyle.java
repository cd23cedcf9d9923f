package io.ratelimit.aop;

import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.RequestLedger;
import io.ratelimit.expression.EvaluationScope;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.util.ClassUtils;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A method that returns a {@link Mono} or {@link Flux}. Permits are taken at each subscription, and only then the method
 * itself runs. A cancelled wait frees its place; a subscription that is cancelled later counts.
 */
final class ReactorStyle extends CallStyle {

    private static final boolean PRESENT =
            ClassUtils.isPresent("reactor.core.publisher.Mono", ReactorStyle.class.getClassLoader());

    ReactorStyle(Tools tools) {
        super(tools);
    }

    static boolean fits(Class<?> returnType) {
        return PRESENT && Types.fits(returnType);
    }

    /** Only loaded where Reactor is. */
    private static final class Types {

        static boolean fits(Class<?> returnType) {
            return returnType == Mono.class || returnType == Flux.class || returnType == Publisher.class;
        }
    }

    @Override
    Object call(MethodPlan plan, MethodInvocation invocation) {
        Subscription subscription = new Subscription(plan, invocation);
        return plan.method().getReturnType() == Mono.class
                ? Mono.defer(() -> Mono.from(subscription.publisher(true)))
                : Flux.defer(() -> subscription.publisher(false));
    }

    /** What was on the caller's thread, for the subscriptions to come. */
    private final class Subscription {

        private final MethodPlan plan;

        private final ProxyMethodInvocation invocation;

        private final EvaluationScope scope;

        private final @Nullable RequestLedger ledger;

        private final CallContext context = CallContext.capture();

        private Subscription(MethodPlan plan, MethodInvocation invocation) {
            this.plan = plan;
            this.invocation = (ProxyMethodInvocation) ((ProxyMethodInvocation) invocation).invocableClone();
            this.scope = scope(plan, this.invocation).capture();
            this.ledger = tools().enforcer().currentLedger();
        }

        private Publisher<?> publisher(boolean single) {
            Enforcement enforcement = tools().enforcer().enforce(plan.specs(), scope, ledger);
            if (enforcement.refused()) {
                return invoke(() -> plan.refuse(invocation, enforcement));
            }
            Publisher<?> body = single ? mono(enforcement) : flux(enforcement);
            if (enforcement.delayMicros() == 0) {
                return body;
            }
            Mono<?> wait = Mono.delay(Duration.of(enforcement.delayMicros(), ChronoUnit.MICROS))
                    .doOnCancel(enforcement::abandon);
            return single ? wait.then(Mono.from(body)) : wait.thenMany(body);
        }

        private Mono<?> mono(Enforcement enforcement) {
            Mono<?> body = Mono.defer(() -> Mono.from(proceed(enforcement)));
            return enforcement.awaitsOutcome()
                    ? body.doOnSuccess(enforcement::returned).doOnError(enforcement::threw)
                    : body;
        }

        private Flux<?> flux(Enforcement enforcement) {
            Flux<?> body = Flux.defer(() -> proceed(enforcement));
            if (!enforcement.awaitsOutcome()) {
                return body;
            }
            AtomicReference<@Nullable Object> last = new AtomicReference<>();
            return body.doOnNext(last::set)
                    .doOnComplete(() -> enforcement.returned(last.get()))
                    .doOnError(enforcement::threw);
        }

        private Publisher<?> proceed(Enforcement enforcement) {
            enforcement.doneWaiting();
            MethodInvocation body = invocation.invocableClone();
            return invoke(body::proceed);
        }

        private Publisher<?> invoke(Body body) {
            try {
                Object result = context.call(() -> {
                    try {
                        return body.run();
                    } catch (Exception | Error e) {
                        throw e;
                    } catch (Throwable e) {
                        throw new IllegalStateException(e);
                    }
                });
                return result instanceof Publisher<?> publisher ? publisher : Mono.empty();
            } catch (Exception e) {
                return Mono.error(e);
            }
        }
    }

    /** Something that may throw anything. */
    @FunctionalInterface
    private interface Body {

        @Nullable
        Object run() throws Throwable;
    }
}
