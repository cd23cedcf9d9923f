package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.web.LimitedApplication.Rules;
import io.ratelimit.web.RawHttp.Response;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.config.annotation.CorsRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** What needs a controller: waiting, counting by result, and CORS of Spring MVC. */
class WebFeaturesTests {

    private static final String ORIGIN = "Origin: https://shop.example";

    private static LimitedApplication application;

    private RawHttp http;

    @Configuration(proxyBeanMethods = false)
    static class App implements WebMvcConfigurer {

        @Bean
        Rules rules() {
            Limit two = Limit.of(Algorithm.SLIDING_LOG, 2, Duration.ofSeconds(10));
            Limit queue =
                    Limit.of(Algorithm.LEAKY_BUCKET, 20, Duration.ofSeconds(1)).withBurst(8);
            UnaryOperator<LimitDeclaration> failures = declaration -> declaration.countWhen("status == 401");
            Rules rules = new Rules()
                    .rule("counted", two, Set.of(), List.of("/status/**"), List.of(), failures)
                    .rule(
                            "errors",
                            two,
                            Set.of(),
                            List.of("/errors/**"),
                            List.of(),
                            declaration -> declaration.countWhen("status >= 500"))
                    .rule("queue", queue, "/queue", "/async-queue", "/plain")
                    .rule("cors", two, "/cors/**");
            rules.maxWaiting = 4;
            return rules;
        }

        @Override
        public void addCorsMappings(CorsRegistry registry) {
            registry.addMapping("/cors/global")
                    .allowedOrigins("https://shop.example")
                    .allowCredentials(true)
                    .exposedHeaders("X-Own");
        }

        @Bean
        Controller controller() {
            return new Controller();
        }

        @Bean
        ServletRegistrationBean<HttpServlet> plain() {
            return new ServletRegistrationBean<>(new PlainServlet(), "/plain");
        }
    }

    static class PlainServlet extends HttpServlet {

        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("plain");
        }
    }

    @RestController
    static class Controller {

        @GetMapping("/status/now")
        String now(@RequestParam int code, HttpServletResponse response) {
            response.setStatus(code);
            return "now";
        }

        @GetMapping("/status/error")
        void error(@RequestParam int code, HttpServletResponse response) throws IOException {
            response.sendError(code);
        }

        @GetMapping("/status/thrown")
        void thrown(@RequestParam int code) {
            throw new ResponseStatusException(HttpStatusCode.valueOf(code));
        }

        @GetMapping("/status/async")
        Callable<String> async(@RequestParam int code, HttpServletResponse response) {
            return () -> {
                response.setStatus(code);
                return "later";
            };
        }

        @GetMapping("/errors/escaped")
        void escaped() {
            throw new IllegalStateException("escaped");
        }

        @GetMapping("/errors/async")
        Callable<String> asyncError() {
            return () -> {
                throw new IllegalStateException("escaped");
            };
        }

        @GetMapping("/errors/none")
        String none() {
            return "fine";
        }

        @GetMapping("/status/timeout")
        DeferredResult<String> timeout() {
            return new DeferredResult<>(1L);
        }

        @GetMapping("/queue")
        String queue() {
            return "served";
        }

        @PostMapping("/queue")
        String queue(@RequestBody String body) {
            return "served " + body;
        }

        @GetMapping("/async-queue")
        Callable<String> asyncQueue() {
            return () -> "served later";
        }

        @GetMapping("/cors/global")
        String global() {
            return "global";
        }

        @CrossOrigin(origins = "https://shop.example")
        @GetMapping("/cors/annotated")
        String annotated() {
            return "annotated";
        }

        @GetMapping("/cors/none")
        String closed() {
            return "closed";
        }
    }

    @BeforeAll
    static void start() {
        application = LimitedApplication.start(App.class);
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

    @ParameterizedTest
    @CsvSource({
        "/status/now?code=401, true", "/status/now?code=200, false", "/status/error?code=401, true",
        "/status/error?code=404, false", "/status/thrown?code=401, true", "/status/thrown?code=400, false",
        "/status/async?code=401, true", "/status/async?code=200, false", "/status/timeout, true",
        "/errors/escaped, true", "/errors/async, true", "/errors/none, false",
    })
    void onlyTheGivenResultsCount(String target, boolean counts) {
        for (int i = 0; i < 2; i++) {
            Response response = http.get(target);
            assertThat(response.status()).isNotEqualTo(429);
            assertThat(response.header("RateLimit")).contains(counts && i == 1 ? ";r=0" : ";r=1");
        }
        assertThat(http.get(target).status() == 429).isEqualTo(counts);
    }

    @Test
    void queuedRequestsAreServedInTurnAndWhoFindsTheRoomFullIsRefused() {
        List<CompletableFuture<Response>> responses = IntStream.range(0, 8)
                .mapToObj(
                        i -> CompletableFuture.supplyAsync(() -> http.get("/queue"), task -> new Thread(task).start()))
                .toList();
        List<Response> answers = responses.stream().map(CompletableFuture::join).toList();
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 200)
                .hasSize(5)
                .allSatisfy(answer -> {
                    assertThat(answer.body()).isEqualTo("served");
                    assertThat(answer.all("RateLimit")).hasSize(1);
                });
        assertThat(answers)
                .filteredOn(answer -> answer.status() == 429)
                .hasSize(3)
                .allSatisfy(answer -> assertThat(answer.header("Retry-After")).isEqualTo("1"));
        application.reset();
        assertThat(http.get("/queue").status()).isEqualTo(200);
    }

    @Test
    void aRequestWaitsForItsTurnWhateverHandlesIt() {
        assertThat(http.get("/queue").body()).isEqualTo("served");
        assertThat(millisOf("/queue", "served")).isGreaterThanOrEqualTo(50);
        assertThat(millisOf("/async-queue", "served later")).isGreaterThanOrEqualTo(100);
        assertThat(millisOf("/plain", "plain")).isGreaterThanOrEqualTo(150);
        assertThat(http.send("POST", "/queue", "a body", "Content-Type: text/plain")
                        .body())
                .isEqualTo("served a body");
    }

    private long millisOf(String path, String body) {
        long start = System.nanoTime();
        Response response = http.get(path);
        assertThat(response.body()).isEqualTo(body);
        assertThat(response.all("RateLimit")).hasSize(1);
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    @ParameterizedTest
    @CsvSource({"/cors/global, true", "/cors/annotated, false"})
    void aRefusalOfACorsRouteCanBeReadByItsOrigin(String path, boolean credentials) {
        Response preflight = http.send("OPTIONS", path, "", ORIGIN, "Access-Control-Request-Method: GET");
        assertThat(preflight.status()).isEqualTo(200);
        assertThat(preflight.header("RateLimit")).isEmpty();
        Response admitted = http.get(path, ORIGIN);
        http.get(path, ORIGIN);
        Response refused = http.get(path, ORIGIN);
        assertThat(refused.status()).isEqualTo(429);
        for (Response response : List.of(admitted, refused)) {
            assertThat(response.all("Access-Control-Allow-Origin")).containsExactly("https://shop.example");
            assertThat(response.all("Access-Control-Allow-Credentials")).hasSize(credentials ? 1 : 0);
            assertThat(response.all("Access-Control-Expose-Headers"))
                    .singleElement()
                    .asString()
                    .contains("RateLimit-Policy, RateLimit");
            assertThat(response.all("RateLimit")).hasSize(1);
        }
        assertThat(refused.header("Access-Control-Expose-Headers")).contains("Retry-After");
        assertThat(refused.header("Access-Control-Expose-Headers").contains("X-Own"))
                .isEqualTo(credentials);
    }

    @Test
    void otherOriginsAndRoutesGetNoCorsHeadersOnARefusal() {
        for (int i = 0; i < 2; i++) {
            http.get("/cors/none");
        }
        for (Response refused : List.of(
                http.get("/cors/global", "Origin: https://evil.example"),
                http.get("/cors/none", ORIGIN),
                http.get("/cors/unknown", ORIGIN),
                http.get("/cors/global"))) {
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Access-Control-Allow-Origin")).isEmpty();
            assertThat(refused.header("Access-Control-Expose-Headers")).isEmpty();
        }
    }
}
