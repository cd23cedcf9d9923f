package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.web.RawHttp.Response;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterOnTomcatTests {

    private static LimitedApplication application;

    private RawHttp http;

    @BeforeAll
    static void start() {
        application = LimitedApplication.start(
                EdgeApplication.class,
                "spring.mvc.hiddenmethod.filter.enabled=true",
                "spring.web.error.include-message=always");
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
