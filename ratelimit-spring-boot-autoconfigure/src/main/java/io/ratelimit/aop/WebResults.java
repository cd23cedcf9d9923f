package io.ratelimit.aop;

import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.expression.Outcome;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/**
 * Results with which Spring MVC goes on after the method returned. They end with the request; only a deferred result has
 * a value by then, the others a status and an error.
 */
final class WebResults {

    private static final boolean PRESENT = ClassUtils.isPresent(
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            WebResults.class.getClassLoader());

    private WebResults() {}

    /** Arranges for the report at the end of the request, if the result is of that kind. */
    static boolean endsWithRequest(@Nullable Object result, Enforcement enforcement) {
        return result != null && PRESENT && Mvc.endsWithRequest(result, enforcement);
    }

    /** Only loaded where Spring MVC is. */
    private static final class Mvc {

        private Mvc() {}

        static boolean endsWithRequest(Object result, Enforcement enforcement) {
            Object body = result instanceof ResponseEntity<?> entity ? entity.getBody() : result;
            if (body instanceof DeferredResult<?> deferred) {
                enforcement.endsWithRequest(() -> outcome(deferred));
                return true;
            }
            if (body instanceof WebAsyncTask
                    || body instanceof ResponseBodyEmitter
                    || body instanceof StreamingResponseBody) {
                enforcement.endsWithRequest(() -> Outcome.returned(null));
                return true;
            }
            return false;
        }

        private static Outcome outcome(DeferredResult<?> deferred) {
            if (!deferred.hasResult()) {
                return Outcome.threw(new TimeoutException("no result was set"));
            }
            Object value = deferred.getResult();
            return value instanceof Throwable error ? Outcome.threw(error) : Outcome.returned(value);
        }
    }
}
