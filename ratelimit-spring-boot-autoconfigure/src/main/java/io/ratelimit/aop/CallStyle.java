package io.ratelimit.aop;

import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.expression.CurrentRequest;
import io.ratelimit.expression.EvaluationScope;
import java.util.concurrent.Executor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** How limits are put around a call. There is one style for each kind of return type. */
abstract class CallStyle {

    private final Tools tools;

    CallStyle(Tools tools) {
        this.tools = tools;
    }

    /**
     * What every style needs.
     *
     * @param enforcer decides
     * @param currentRequest the request that expressions see
     * @param pause waits for leaky buckets
     * @param executor runs bodies whose wait is over
     */
    record Tools(Enforcer enforcer, CurrentRequest currentRequest, Pause pause, Executor executor) {}

    /** Calls the method if its limits admit it. */
    abstract @Nullable Object call(MethodPlan plan, MethodInvocation invocation) throws Throwable;

    Tools tools() {
        return tools;
    }

    EvaluationScope scope(MethodPlan plan, MethodInvocation invocation) {
        return EvaluationScope.ofCall(plan.parameters(), invocation.getArguments(), tools.currentRequest());
    }

    Enforcement enforce(MethodPlan plan, MethodInvocation invocation) {
        return tools.enforcer().enforce(plan.specs(), scope(plan, invocation));
    }
}
