package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.expression.CallParameters;
import io.ratelimit.expression.CurrentRequest;
import io.ratelimit.expression.EvaluationScope;
import io.ratelimit.web.LimitedApplication.Limits;
import io.ratelimit.web.LimitedApplication.Rules;
import io.ratelimit.web.RawHttp.Response;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
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

class FilterOnTomcatTests {

    private static LimitedApplication application;

    private RawHttp http;

    @Configuration(proxyBeanMethods = false)
    static class App {

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

        @Bean
        Controller controller(Limits limits) {
            return new Controller(limits);
        }
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

    @BeforeAll
    static void start() {
        application = LimitedApplication.start(
                App.class, "spring.mvc.hiddenmethod.filter.enabled=true", "spring.web.error.include-message=always");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void reset() {
        application.reset();
        http = application.http();
    }

    private String remaining() {
        String limit = http.get("/api/hello").header("RateLimit");
        return limit.replaceAll(".*\"api\";r=(\\d+).*", "$1");
    }

    @Test
    void aCountedResponseCarriesTheHeaders() {
        Response response = http.get("/api/hello");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("hello");
        assertThat(response.all("RateLimit-Policy")).containsExactly("\"api\";q=4;w=60");
        assertThat(response.all("RateLimit")).containsExactly("\"api\";r=3;t=20");
        assertThat(response.header("Retry-After")).isEmpty();
    }

    @Test
    void theFifthRequestIsRefusedByTheBook() {
        for (int i = 0; i < 4; i++) {
            assertThat(http.get("/api/hello").status()).isEqualTo(200);
        }
        Response refused = http.get("/api/hello;jsessionid=SECRET?token=SECRET", "Accept: text/html");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.all("Retry-After")).containsExactly("20");
        assertThat(refused.all("Cache-Control")).containsExactly("no-store");
        assertThat(refused.all("Content-Type")).containsExactly("application/problem+json");
        assertThat(refused.all("RateLimit")).containsExactly("\"api\";r=0;t=20");
        assertThat(refused.all("RateLimit-Policy")).containsExactly("\"api\";q=4;w=60");
        assertThat(refused.body())
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Quota exceeded\",\"status\":429,"
                        + "\"detail\":\"Too many requests. Retry in 20 seconds.\","
                        + "\"instance\":\"/api/hello\",\"violated-policies\":[\"api\"]}");
        application.time().advanceMicros(20_000_000);
        assertThat(http.get("/api/hello").status()).isEqualTo(200);
    }

    @Test
    void headCountsAsGetAndItsRefusalHasNoBody() {
        assertThat(http.send("HEAD", "/api/hello", "").header("RateLimit")).isEqualTo("\"api\";r=3;t=20");
        assertThat(remaining()).isEqualTo("2");
        http.get("/api/hello");
        http.get("/api/hello");
        Response refused = http.send("HEAD", "/api/hello", "");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isEqualTo("20");
        assertThat(refused.body()).isEmpty();
        assertThat(http.send("HEAD", "/only-get", "").header("RateLimit")).isEqualTo("\"get\";r=1;t=10");
    }

    @Test
    void excludedAndOtherPathsAreFree() {
        for (int i = 0; i < 6; i++) {
            assertThat(http.get("/api/health").header("RateLimit")).isEmpty();
            assertThat(http.get("/free").header("RateLimit")).isEmpty();
        }
        assertThat(remaining()).isEqualTo("3");
    }

    @Test
    void methodsAreThoseThatReachTheController() {
        Response overridden =
                http.send("POST", "/api/hello", "_method=DELETE", "Content-Type: application/x-www-form-urlencoded");
        assertThat(overridden.body()).isEqualTo("deleted");
        assertThat(overridden.header("RateLimit")).isEqualTo("\"delete\";r=1;t=10, \"api\";r=3;t=20");
        assertThat(http.send("POST", "/api/hello", "").header("RateLimit")).isEqualTo("\"api\";r=2;t=20");
    }

    @Test
    void plainOptionsCountsAndPreflightsDoNot() {
        Response preflight = http.send(
                "OPTIONS", "/api/hello", "", "Origin: https://a.example", "Access-Control-Request-Method: GET");
        assertThat(preflight.header("RateLimit")).isEmpty();
        assertThat(http.send("OPTIONS", "/api/hello", "").header("RateLimit")).isEqualTo("\"api\";r=3;t=20");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/hello", "/api/hello;x=1", "/api;a=b/hello", "/api/%68ello", "/%61pi/hello", "/api/hello?x=1",
                "//api/hello", "/api//hello", "/api/./hello", "/api/x/../hello", "/x/../api/hello", "/api/hello/",
                "/api/%2e/hello", "/api/x/%2e%2e/hello", "/api/hello;", "/;/api/hello", "/api/hello;x=%2f",
                        "/.;/api/hello",
                "/api/;/hello", "/foo/..;/api/hello", "/API/hello", "/api/hello%20", "/api/hello%2f", "/api\\hello",
                "/api/hello%00", "http://localhost/api/hello"
            })
    void noSpellingReachesTheControllerWithoutMeetingTheRule(String target) {
        Response response = http.get(target);
        boolean reached = response.body().equals("hello");
        assertThat(response.status()).isLessThan(500);
        if (reached) {
            assertThat(response.header("RateLimit")).isEqualTo("\"api\";r=3;t=20");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/api/health/", "//api/health", "/api/health/../hello", "/api/health;/../hello", "/api/health/.."
            })
    void noSpellingOfAnExclusionFreesWhatIsLimited(String target) {
        Response response = http.get(target);
        if (response.body().equals("hello")) {
            assertThat(response.header("RateLimit")).isEqualTo("\"api\";r=3;t=20");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/failing",
                "/api/error?status=404",
                "/api/error?status=503",
                "/api/redirect",
                "/api/nothing",
                "/api/forward",
                "/api/callable",
                "/api/deferred-nothing",
                "/api/stream",
                "/api/reset",
                "/api/unknown"
            })
    void whateverBecomesOfARequestItCountsOnceAndSaysSo(String target) {
        Response response = http.get(target);
        assertThat(response.all("RateLimit")).containsExactly("\"api\";r=3;t=20");
        assertThat(response.all("RateLimit-Policy")).hasSize(1);
        assertThat(remaining()).isEqualTo("2");
    }

    @Test
    void errorPagesAreLeftAlone() {
        Response response = http.get("/api/error?status=404", "Accept: application/json");
        assertThat(response.status()).isEqualTo(404);
        assertThat(response.body()).contains("\"status\":404").contains("\"path\":\"/api/error\"");
        assertThat(http.get("/api/failing").status()).isEqualTo(500);
    }

    @Test
    void filterAndAnnotationMakeOneSetOfHeaders() {
        Response response = http.get("/api/annotated");
        assertThat(response.all("RateLimit-Policy")).containsExactly("\"api\";q=4;w=60, \"annotated\";q=2;w=10");
        assertThat(response.all("RateLimit")).containsExactly("\"annotated\";r=1;t=10, \"api\";r=3;t=20");
    }

    @Test
    void anAnnotationRefusesLikeTheFilterAndGivesBackWhatTheFilterCharged() {
        http.get("/annotated");
        http.get("/annotated");
        Response refused = http.get("/api/annotated", "Accept: image/png");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.all("Retry-After")).containsExactly("10");
        assertThat(refused.all("Cache-Control")).containsExactly("no-store");
        assertThat(refused.all("RateLimit")).containsExactly("\"annotated\";r=0;t=10, \"api\";r=3");
        assertThat(refused.all("Content-Type")).containsExactly("application/problem+json");
        assertThat(refused.body())
                .contains("\"violated-policies\":[\"annotated\"]")
                .doesNotContain("Controller");
        assertThat(remaining()).isEqualTo("3");
    }

    @Test
    void aCommittedResponseIsLeftAlone() {
        Response response = http.get("/api/broken-stream");
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("first");
        assertThat(response.all("RateLimit")).containsExactly("\"api\";r=3;t=20");
    }

    @Test
    void streamsCarryTheHeadersWithTheirFirstByte() {
        Response response = http.get("/api/stream");
        assertThat(response.body()).isEqualTo("first second");
        assertThat(response.header("RateLimit")).isEqualTo("\"api\";r=3;t=20");
    }

    @Test
    void aRotatedForwardingHeaderChangesNothing() {
        for (int i = 0; i < 4; i++) {
            assertThat(http.get("/api/hello", "X-Forwarded-For: 198.51.100." + i)
                            .status())
                    .isEqualTo(200);
        }
        assertThat(http.get("/api/hello", "X-Forwarded-For: 198.51.100.9").status())
                .isEqualTo(429);
    }

    @Test
    void noInputInjectsAHeader() {
        for (int i = 0; i < 4; i++) {
            http.get("/api/hello");
        }
        Response refused = http.get("/api/%0d%0aX-Evil:1", "Origin: https://a.example\tX-Evil: 1");
        assertThat(refused.header("X-Evil")).isEmpty();
    }
}
