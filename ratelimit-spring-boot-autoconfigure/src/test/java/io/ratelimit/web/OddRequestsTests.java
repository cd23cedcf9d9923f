package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.web.LimitedApplication.Rules;
import io.ratelimit.web.RawHttp.Response;
import jakarta.servlet.ServletContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Requests of unusual kinds on Tomcat: each is counted once, and its refusal is a plain 429. */
class OddRequestsTests {

    private static final String ADMITTED = "\"odd\";r=1;t=20";

    private static LimitedApplication application;

    private RawHttp http;

    @Configuration(proxyBeanMethods = false)
    static class App {

        @Bean
        Rules rules() {
            Limit two = Limit.of(Algorithm.FIXED_WINDOW, 2, Duration.ofMinutes(1));
            return new Rules()
                    .rule("odd", two, "/odd/**")
                    .rule(
                            "sized",
                            Limit.of(Algorithm.FIXED_WINDOW, 50, Duration.ofMinutes(1)),
                            Set.of(),
                            List.of("/sized/**"),
                            List.of(),
                            declaration -> declaration.cost("T(Integer).parseInt(header('X-Size'))"));
        }

        @Bean
        Controller controller() {
            return new Controller();
        }
    }

    @RestController
    static class Controller {

        @GetMapping("/odd/file")
        Resource file() {
            return new ByteArrayResource("0123456789".getBytes(StandardCharsets.US_ASCII));
        }

        @PostMapping("/odd/upload")
        String upload(@RequestParam MultipartFile file) throws IOException {
            return new String(file.getBytes(), StandardCharsets.UTF_8);
        }

        @PostMapping("/odd/raw")
        String raw(HttpServletRequest request) throws IOException {
            return new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }

        @GetMapping("/odd/late")
        DeferredResult<String> late() {
            return new DeferredResult<>(50L);
        }

        @GetMapping("/odd/events")
        SseEmitter events() throws IOException {
            SseEmitter emitter = new SseEmitter();
            emitter.send("first");
            CompletableFuture.runAsync(emitter::complete);
            return emitter;
        }

        @GetMapping("/sized/x")
        String sized() {
            return "sized";
        }

        @EventListener
        void addWebSocket(ContextRefreshedEvent event) throws DeploymentException {
            ServletContext context = ((WebApplicationContext) event.getApplicationContext()).getServletContext();
            ServerContainer container = (ServerContainer) context.getAttribute(ServerContainer.class.getName());
            container.addEndpoint(ServerEndpointConfig.Builder.create(Echo.class, "/odd/socket")
                    .build());
        }
    }

    /** Accepts connections. */
    public static class Echo extends Endpoint {

        @Override
        public void onOpen(Session session, EndpointConfig config) {}
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

    private void exhaust() {
        http.get("/odd/x");
        http.get("/odd/x");
    }

    @Test
    void aRangeIsServedOnceAndItsRefusalIsWhole() {
        Response part = http.get("/odd/file", "Range: bytes=2-4");
        assertThat(part.status()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("234");
        assertThat(part.all("RateLimit")).containsExactly(ADMITTED);
        http.get("/odd/x");
        Response refused = http.get("/odd/file", "Range: bytes=2-4", "If-None-Match: *");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Content-Range")).isEmpty();
        assertThat(refused.body()).startsWith("{").endsWith("}");
    }

    @Test
    void anUploadIsNotReadByTheFilter() {
        String body =
                "--x\r\nContent-Disposition: form-data; name=file; filename=\"a.txt\"\r\n\r\ncontent\r\n--x--\r\n";
        String type = "Content-Type: multipart/form-data; boundary=x";
        Response uploaded = http.send("POST", "/odd/upload", body, type);
        assertThat(uploaded.body()).isEqualTo("content");
        assertThat(uploaded.all("RateLimit")).containsExactly(ADMITTED);
        http.get("/odd/x");
        assertThat(http.send("POST", "/odd/upload", body, type).status()).isEqualTo(429);
        assertThat(http.send("POST", "/odd/upload", "garbage", type).status()).isEqualTo(429);
    }

    @Test
    void theBodyOfAFormIsLeftToTheHandler() {
        String type = "Content-Type: application/x-www-form-urlencoded";
        assertThat(http.send("POST", "/odd/raw", "a=1&b=2", type).body()).isEqualTo("a=1&b=2");
    }

    @Test
    void anAsynchronousTimeoutCountsOnceAndSaysSo() {
        Response late = http.get("/odd/late");
        assertThat(late.status()).isEqualTo(503);
        assertThat(late.all("RateLimit")).containsExactly(ADMITTED);
        assertThat(http.get("/odd/x").header("RateLimit")).isEqualTo("\"odd\";r=0;t=20");
    }

    @Test
    void serverSentEventsCarryTheHeadersWithTheirFirstByte() {
        Response events = http.get("/odd/events");
        assertThat(events.body()).contains("data:first");
        assertThat(events.all("RateLimit")).containsExactly(ADMITTED);
        http.get("/odd/x");
        Response refused = http.get("/odd/events", "Accept: text/event-stream");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.all("Content-Type")).containsExactly("application/problem+json");
    }

    @Test
    void aWebSocketHandshakeIsCountedAndRefused() {
        connect().join().abort();
        assertThat(http.get("/odd/x").header("RateLimit")).isEqualTo("\"odd\";r=0;t=20");
        assertThatThrownBy(() -> connect().join())
                .cause()
                .isInstanceOfSatisfying(WebSocketHandshakeException.class, refusal -> assertThat(
                                refusal.getResponse().statusCode())
                        .isEqualTo(429));
    }

    private CompletableFuture<WebSocket> connect() {
        return HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(
                        URI.create("ws://127.0.0.1:%d/odd/socket".formatted(application.port())),
                        new WebSocket.Listener() {});
    }

    @Test
    void hugeHeadersChangeNothing() {
        Response response = http.get("/odd/x", "X-Forwarded-For: " + "1,".repeat(3_000), "Accept-Language: x");
        assertThat(response.header("RateLimit")).isEqualTo(ADMITTED);
        http.get("/odd/x");
        Response refused = http.get("/odd/x", "Accept: " + "a".repeat(6_000));
        assertThat(refused.status()).isEqualTo(429);
        assertThat(http.get("/odd/x", "X-Huge: " + "a".repeat(20_000)).status()).isEqualTo(400);
    }

    @Test
    void anOriginThatCannotBeReadIsNone() {
        Response response = http.get("/odd/x", "Origin: 100https://0x7f.1");
        assertThat(response.status()).isLessThan(500);
        assertThat(response.header("RateLimit")).isEqualTo(ADMITTED);
        http.get("/odd/x");
        assertThat(http.get("/odd/x", "Origin: https://[").status()).isEqualTo(429);
    }

    @Test
    void aRefusalRepeatsNothingOfTheRequestButItsPath() {
        exhaust();
        Response refused = http.get(
                "/odd/%0d%0aSet-Cookie:a=b?secret=1", "Authorization: Bearer token-1", "Cookie: session=token-2");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Set-Cookie")).isEmpty();
        assertThat(refused.body()).contains("/odd/%0d%0aSet-Cookie:a=b").doesNotContain("secret", "token");
    }

    @Test
    void aCostThatCannotBeComputedIsTheClientsMistake() {
        assertThat(http.get("/sized/x", "X-Size: 5").header("RateLimit")).isEqualTo("\"sized\";r=45;t=20");
        for (String size : List.of("X-Size: five", "X-Size: -5", "X-Size: 99999999999", "X-Other: 1")) {
            Response invalid = http.get("/sized/x", size);
            assertThat(invalid.status()).isEqualTo(400);
            assertThat(invalid.all("Content-Type")).containsExactly("application/problem+json");
            assertThat(invalid.all("Cache-Control")).containsExactly("no-store");
            assertThat(invalid.body())
                    .contains("\"status\":400")
                    .contains("a value in it is missing or invalid")
                    .doesNotContain("parseInt", "five");
        }
        assertThat(http.send("HEAD", "/sized/x", "").body()).isEmpty();
        assertThat(http.get("/sized/x", "X-Size: 5").header("RateLimit")).isEqualTo("\"sized\";r=40;t=20");
        Response tooLarge = http.get("/sized/x", "X-Size: 51");
        assertThat(tooLarge.status()).isEqualTo(429);
        assertThat(tooLarge.header("Retry-After")).isEmpty();
    }
}
