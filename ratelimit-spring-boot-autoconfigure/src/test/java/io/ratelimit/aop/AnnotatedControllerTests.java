package io.ratelimit.aop;

import static io.ratelimit.core.Algorithm.FIXED_WINDOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimiter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Annotated methods of a running web application. */
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        classes = AnnotatedControllerTests.Application.class,
        properties = {
            "server.address=127.0.0.1",
            "ratelimit.rules[0].name=all",
            "ratelimit.rules[0].paths=/items/**",
            "ratelimit.rules[0].limit=100",
            "ratelimit.rules[0].window=1d",
            "ratelimit.rules[0].algorithm=fixed-window",
            "ratelimit.policies.login.limit=3",
            "ratelimit.policies.login.window=1d",
            "ratelimit.policies.login.algorithm=sliding-log",
            "ratelimit.policies.login.count-when=status == 401"
        })
class AnnotatedControllerTests {

    private final HttpClient client = HttpClient.newHttpClient();

    @Autowired
    private Environment environment;

    @Autowired
    private RateLimiter limiter;

    @BeforeEach
    void forget() {
        limiter.reset();
        Shop.BODIES.set(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "stage", "callable", "deferred", "streaming", "events"})
    void everyKindOfResultIsRefusedWithTheSameAnswerAndWithoutItsBody(String kind) {
        assertThat(get("/items/" + kind).statusCode()).isEqualTo(200);
        HttpResponse<String> refused = get("/items/" + kind);

        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();
        assertThat(refused.body()).contains("\"violated-policies\"");
        assertThat(Shop.BODIES).hasValue(1);
    }

    @Test
    void whatTheFilterChargedIsGivenBackWhenTheAnnotationRefuses() {
        get("/items/plain");
        get("/items/plain");
        get("/items/plain");

        HttpResponse<String> other = get("/items/stage");

        assertThat(other.headers().firstValue("RateLimit").orElseThrow()).contains("\"all\";r=98");
    }

    @Test
    void aCostThatTheArgumentsDoNotGiveIsTheClientsMistake() {
        assertThat(get("/sized/3").statusCode()).isEqualTo(200);

        HttpResponse<String> invalid = get("/sized/three");

        assertThat(invalid.statusCode()).isEqualTo(400);
        assertThat(invalid.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
        assertThat(invalid.body()).doesNotContain("NumberFormat", "parseLong");
    }

    @Test
    void onlyFailedLoginsCount() {
        for (int i = 0; i < 10; i++) {
            assertThat(get("/login/secret").statusCode()).isEqualTo(200);
        }
        for (int i = 0; i < 3; i++) {
            assertThat(get("/login/wrong").statusCode()).isEqualTo(401);
        }
        assertThat(get("/login/secret").statusCode()).isEqualTo(429);
    }

    @Test
    void deferredResultsCountByTheirValue() {
        for (int i = 0; i < 5; i++) {
            await().atMost(Duration.ofSeconds(30)).until(() -> get("/later/ok").statusCode() == 200);
        }
        assertThat(get("/later/failed").statusCode()).isEqualTo(200);
        await().atMost(Duration.ofSeconds(30)).until(() -> get("/later/ok").statusCode() == 429);
    }

    @Test
    void aFallbackAnswersWithQuotaHeadersAndNoRetryAfter() {
        assertThat(get("/fallback").body()).isEqualTo("fresh");
        HttpResponse<String> answer = get("/fallback");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("cached");
        assertThat(answer.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"default\";r=0");
        assertThat(answer.headers().firstValue("Retry-After")).isEmpty();
    }

    private HttpResponse<String> get(String path) {
        URI uri = URI.create("http://127.0.0.1:" + environment.getProperty("local.server.port") + path);
        try {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @EnableAutoConfiguration
    @Import(Shop.class)
    static class Application {

        @Bean
        SecurityFilterChain openToEveryone(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @RestController
    static class Shop {

        static final AtomicInteger BODIES = new AtomicInteger();

        @GetMapping("/sized/{size}")
        @RateLimited(limit = 5, window = "1d", cost = "T(Long).parseLong(#size)")
        public String sized(@PathVariable String size) {
            return size;
        }

        @GetMapping("/items/plain")
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW)
        public String plain() {
            BODIES.incrementAndGet();
            return "plain";
        }

        @GetMapping("/items/stage")
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW)
        public CompletableFuture<String> stage() {
            BODIES.incrementAndGet();
            return CompletableFuture.completedFuture("stage");
        }

        @GetMapping("/items/callable")
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW)
        public Callable<String> callable() {
            return () -> "callable" + BODIES.incrementAndGet();
        }

        @GetMapping("/items/deferred")
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW)
        public DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            result.setResult("deferred" + BODIES.incrementAndGet());
            return result;
        }

        @GetMapping("/items/streaming")
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW)
        public StreamingResponseBody streaming() {
            return output -> output.write(BODIES.incrementAndGet());
        }

        @GetMapping("/items/events")
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW)
        public SseEmitter events() {
            SseEmitter emitter = new SseEmitter();
            BODIES.incrementAndGet();
            emitter.complete();
            return emitter;
        }

        @GetMapping("/login/{password}")
        @RateLimited(policy = "login", key = "ip")
        public ResponseEntity<String> login(@PathVariable("password") String password) {
            return password.equals("secret")
                    ? ResponseEntity.ok("welcome")
                    : ResponseEntity.status(401).build();
        }

        @GetMapping("/later/{result}")
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW, countWhen = "result == 'failed'")
        public DeferredResult<String> later(@PathVariable("result") String value) {
            DeferredResult<String> result = new DeferredResult<>();
            CompletableFuture.runAsync(() -> result.setResult(value));
            return result;
        }

        @GetMapping("/fallback")
        @RateLimited(limit = 1, window = "1d", algorithm = FIXED_WINDOW, fallback = "cached")
        public String fresh() {
            return "fresh";
        }

        private String cached() {
            return "cached";
        }
    }
}
