package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.expression.CallParameters;
import io.ratelimit.expression.CurrentRequest;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.web.LimitedApplication.Limits;
import io.ratelimit.web.LimitedApplication.Rules;
import io.ratelimit.web.RawHttp.Response;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.context.MessageSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

class RejectionAnswersTests {

    @Configuration(proxyBeanMethods = false)
    static class Base {

        @Bean
        Rules rules() {
            Limit none = Limit.of(Algorithm.SLIDING_LOG, 1, Duration.ofSeconds(10));
            return new Rules().rule("filter", none, "/filter", "/own").rule("annotated", none);
        }

        @Bean
        Controller controller(Limits limits) {
            return new Controller(limits);
        }
    }

    @RestController
    static class Controller {

        final Limits limits;

        Controller(Limits limits) {
            this.limits = limits;
        }

        @GetMapping("/filter")
        String filter() {
            return "ok";
        }

        @GetMapping("/annotated")
        String annotated() {
            EvaluationScope scope = EvaluationScope.ofCall(CallParameters.none(), new Object[0], CurrentRequest.none());
            Enforcement enforcement = limits.enforcer().enforce(List.of(limits.of("annotated")), scope);
            if (enforcement.refused()) {
                throw enforcement.toException();
            }
            return "ok";
        }

        @GetMapping("/async")
        CompletableFuture<String> async() {
            return CompletableFuture.completedFuture("").thenApply(nothing -> {
                throw new RateLimitExceededException(List.of(violation()));
            });
        }

        private static RateLimitExceededException.Violation violation() {
            Policy later = Policy.of("later", Limit.of(Algorithm.FIXED_WINDOW, 1, Duration.ofSeconds(1)));
            return new RateLimitExceededException.Violation(
                    "later", Decision.refused(later, "k", 1, 0, 0, 1_000_000, 1_000_000));
        }
    }

    @RestController
    static class OwnHandlerController {

        @GetMapping("/own")
        String own() {
            return "ok";
        }

        @ExceptionHandler(RateLimitExceededException.class)
        ResponseEntity<String> tooMany(RateLimitExceededException rejection) {
            return ResponseEntity.status(429)
                    .header("Retry-After", "77")
                    .body("own: " + rejection.violations().size());
        }
    }

    @RestControllerAdvice
    @Order(Ordered.HIGHEST_PRECEDENCE)
    static class CatchAll {

        @ExceptionHandler(Exception.class)
        ResponseEntity<String> any() {
            return ResponseEntity.internalServerError().body("caught");
        }

        @ExceptionHandler
        ResponseEntity<String> runtime(RuntimeException any) {
            return ResponseEntity.internalServerError().body("caught");
        }
    }

    @RestControllerAdvice
    static class Exact {

        @ExceptionHandler(RateLimitExceededException.class)
        ResponseEntity<String> tooMany(RateLimitExceededException rejection, Locale locale) {
            String thrown = rejection.getStackTrace().length == 0 ? "" : " who threw";
            return ResponseEntity.status(HttpStatus.TOO_MANY_REQUESTS).body("slow down, " + locale + thrown);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import({Base.class, CatchAll.class, OwnHandlerController.class})
    static class WithCatchAll {}

    @Configuration(proxyBeanMethods = false)
    @Import({Base.class, CatchAll.class, Exact.class, OwnHandlerController.class})
    static class WithExactHandler {}

    @Configuration(proxyBeanMethods = false)
    @Import({Base.class, CatchAll.class})
    static class WithRejectionHandler {

        @Bean
        RejectionHandler handler() {
            return (request, response, rejection) -> {
                response.setContentType("text/plain");
                response.getWriter()
                        .print("custom " + rejection.violations().get(0).name());
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @Import(Base.class)
    static class WithMessages {

        @Bean
        MessageSource messageSource() {
            StaticMessageSource messages = new StaticMessageSource();
            messages.addMessage("ratelimit.quota-exceeded.title", Locale.CHINESE, "请求过多");
            messages.addMessage("ratelimit.quota-exceeded.detail", Locale.CHINESE, "{1}: 请在 {0} 秒后重试");
            return messages;
        }
    }

    private static Response second(RawHttp http, String path, String... headers) {
        assertThat(http.get(path).status()).isEqualTo(200);
        return http.get(path, headers);
    }

    @Test
    void handlersForSupertypesNeverTurnARefusalIntoSomethingElse() {
        try (LimitedApplication application = LimitedApplication.start(WithCatchAll.class)) {
            for (String path : List.of("/filter", "/annotated")) {
                Response refused = second(application.http(), path, "Accept: text/html");
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.all("Content-Type")).containsExactly("application/problem+json");
                assertThat(refused.all("Retry-After")).containsExactly("10");
                assertThat(refused.all("Cache-Control")).containsExactly("no-store");
                String name = path.substring(1);
                assertThat(refused.all("RateLimit")).containsExactly("\"" + name + "\";r=0;t=10");
                assertThat(refused.body())
                        .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                                + "\"title\":\"Quota exceeded\",\"status\":429,"
                                + "\"detail\":\"Too many requests. Retry in 10 seconds.\",\"instance\":\"" + path
                                + "\",\"violated-policies\":[\"" + name + "\"]}");
            }
            assertThat(application.http().get("/async").status()).isEqualTo(429);
        }
    }

    @Test
    void aHandlerForExactlyThisExceptionTakesOver() {
        try (LimitedApplication application = LimitedApplication.start(WithExactHandler.class)) {
            for (String path : List.of("/filter", "/annotated")) {
                Response refused = second(application.http(), path, "Accept-Language: de");
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.body())
                        .as("the filter throws nothing and pays for no stack trace")
                        .isEqualTo(path.equals("/filter") ? "slow down, de" : "slow down, de who threw");
                assertThat(refused.all("Retry-After")).containsExactly("10");
                assertThat(refused.all("RateLimit")).hasSize(1);
            }
        }
    }

    @Test
    void aHandlerInTheControllerComesFirstAndItsHeadersStay() {
        try (LimitedApplication application = LimitedApplication.start(WithExactHandler.class)) {
            Response refused = second(application.http(), "/own");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.body()).isEqualTo("own: 1");
            assertThat(refused.all("Retry-After")).containsExactly("77");
        }
    }

    @Test
    void aRejectionHandlerWritesTheBodyForBoth() {
        try (LimitedApplication application = LimitedApplication.start(WithRejectionHandler.class)) {
            for (String name : List.of("filter", "annotated")) {
                Response refused = second(application.http(), "/" + name);
                assertThat(refused.status()).isEqualTo(429);
                assertThat(refused.body()).isEqualTo("custom " + name);
                assertThat(refused.header("Retry-After")).isEqualTo("10");
                assertThat(refused.all("RateLimit")).hasSize(1);
            }
        }
    }

    @Test
    void titleAndDetailCanBeLocalisedAndAreUtf8() {
        try (LimitedApplication application = LimitedApplication.start(WithMessages.class)) {
            Response refused = second(application.http(), "/filter", "Accept-Language: zh");
            assertThat(refused.body()).contains("\"title\":\"请求过多\"").contains("\"detail\":\"filter: 请在 10 秒后重试\"");
            assertThat(application.http().get("/filter", "Accept-Language: en").body())
                    .contains("\"title\":\"Quota exceeded\"");
        }
    }
}
