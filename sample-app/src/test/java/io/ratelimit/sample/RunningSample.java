package io.ratelimit.sample;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimiter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** The sample on a port of its own. Every test starts with fresh counts at an edge of every window. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@Import(StandingClock.class)
public abstract class RunningSample {

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @Value("${local.server.port}")
    private int port;

    @Autowired
    protected ManualTimeSource time;

    @Autowired
    private RateLimiter rateLimiter;

    @BeforeEach
    void forgetEverything() {
        time.set(Duration.ofDays(20_000).toMillis() * 1_000);
        rateLimiter.reset();
    }

    protected final HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, headers);
    }

    protected final HttpResponse<String> post(String path, String... headers) {
        return send("POST", path, headers);
    }

    protected final HttpResponse<String> postJson(String path, String json) {
        return send(request(path, "Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json))
                .build());
    }

    /** Sends the same request several times, one after the other, and returns the statuses. */
    protected final List<Integer> statusesOf(int times, String method, String path, String... headers) {
        return IntStream.range(0, times)
                .mapToObj(i -> send(method, path, headers).statusCode())
                .toList();
    }

    protected final String origin() {
        return "http://127.0.0.1:" + port;
    }

    private HttpResponse<String> send(String method, String path, String... headers) {
        return send(request(path, headers)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(origin() + path)).timeout(DEADLINE);
        return headers.length == 0 ? request : request.headers(headers);
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException("no answer to " + request, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted before the answer to " + request, e);
        }
    }
}
