package io.ratelimit.web;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.expression.CallParameters;
import io.ratelimit.expression.CurrentRequest;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.web.LimitedApplication.Limits;
import io.ratelimit.web.LimitedApplication.Rules;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Answers requests in every way that a servlet container knows. */
@Configuration(proxyBeanMethods = false)
class EdgeApplication {

    @Bean
    Rules rules() {
        Limit four = Limit.of(Algorithm.FIXED_WINDOW, 4, Duration.ofMinutes(1));
        Limit two = Limit.of(Algorithm.SLIDING_LOG, 2, Duration.ofSeconds(10));
        return new Rules()
                .rule(
                        "api",
                        four,
                        Set.of(),
                        List.of("/api/**"),
                        List.of("/api/health"),
                        declaration -> declaration.key("ip"))
                .rule("delete", two, Set.of("delete"), List.of("/api/**"), List.of(), declaration -> declaration)
                .rule("get", two, Set.of("GET"), List.of("/only-get"), List.of(), declaration -> declaration)
                .rule("annotated", two);
    }

    @RestController
    static class Controller {

        private final Limits limits;

        Controller(Limits limits) {
            this.limits = limits;
        }

        @GetMapping({"/api/hello", "/api/health", "/only-get", "/free"})
        String hello() {
            return "hello";
        }

        @PostMapping("/api/hello")
        String post() {
            return "posted";
        }

        @DeleteMapping("/api/hello")
        String delete() {
            return "deleted";
        }

        @GetMapping("/api/failing")
        String failing() {
            throw new IllegalStateException("broken");
        }

        @GetMapping("/api/error")
        void error(@RequestParam int status, HttpServletResponse response) throws IOException {
            response.sendError(status);
        }

        @GetMapping("/api/redirect")
        void redirect(HttpServletResponse response) throws IOException {
            response.sendRedirect("/elsewhere");
        }

        @GetMapping("/api/nothing")
        void nothing(HttpServletResponse response) {
            response.setStatus(204);
        }

        @GetMapping("/api/forward")
        ModelAndView forward() {
            return new ModelAndView("forward:/api/hello");
        }

        @GetMapping("/api/callable")
        Callable<String> callable() {
            return () -> "called";
        }

        @GetMapping("/api/deferred-nothing")
        DeferredResult<Void> deferredNothing() {
            DeferredResult<Void> result = new DeferredResult<>();
            CompletableFuture.runAsync(() -> result.setResult(null));
            return result;
        }

        @GetMapping("/api/stream")
        StreamingResponseBody stream() {
            return body -> {
                body.write("first ".getBytes());
                body.flush();
                body.write("second".getBytes());
            };
        }

        @GetMapping("/api/broken-stream")
        void brokenStream(HttpServletResponse response) throws IOException {
            response.getOutputStream().print("first");
            response.flushBuffer();
            annotated();
            annotated();
            annotated();
        }

        @GetMapping("/api/reset")
        void reset(HttpServletResponse response) throws IOException {
            response.getWriter().print("first");
            response.reset();
            response.getWriter().print("second");
        }

        @GetMapping({"/annotated", "/api/annotated"})
        String annotated() {
            EvaluationScope scope = EvaluationScope.ofCall(CallParameters.none(), new Object[0], CurrentRequest.none());
            Enforcement enforcement = limits.enforcer().enforce(List.of(limits.of("annotated")), scope);
            if (enforcement.refused()) {
                throw enforcement.toException();
            }
            return "annotated";
        }
    }
}
