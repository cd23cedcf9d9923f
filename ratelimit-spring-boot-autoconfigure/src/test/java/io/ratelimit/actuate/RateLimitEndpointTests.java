package io.ratelimit.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The endpoint over HTTP, on an application that runs. */
@ExtendWith(OutputCaptureExtension.class)
class RateLimitEndpointTests {

    private static final String LOGIN =
            "Basic " + Base64.getEncoder().encodeToString("ops:secret".getBytes(StandardCharsets.UTF_8));

    @Test
    void listsEverythingThatLimits() {
        try (OperatedApplication shop = open(
                "ratelimit.rules[0].condition=method == 'GET'",
                "ratelimit.rules[0].cost=2",
                "ratelimit.policies.login.count-when=status == 401")) {
            assertThat(withoutNulls(shop.get("/actuator/ratelimit")))
                    .contains("\"backend\":\"memory\"")
                    .contains("{\"name\":\"api\",\"subject\":\"rule 'api'\",\"limits\":[\"2 per 1m (FIXED_WINDOW)\"],"
                            + "\"key\":\"'all'\",\"cost\":\"2\",\"condition\":\"method == 'GET'\","
                            + "\"phase\":\"BEFORE_SECURITY\",\"shadow\":false}")
                    .contains("{\"name\":\"login\",\"subject\":\"rule 'login'\",\"policy\":\"login\","
                            + "\"limits\":[\"2 per 1m (FIXED_WINDOW)\"],\"key\":\"'all'\",\"cost\":\"1\","
                            + "\"countWhen\":\"status == 401\",\"phase\":\"BEFORE_SECURITY\",\"shadow\":false}")
                    .contains(
                            "{\"name\":\"search\",\"subject\":\"method Open.search\","
                                    + "\"limits\":[\"3 per 1m (FIXED_WINDOW)\"],\"key\":\"'all'\",\"cost\":\"1\",\"shadow\":false}")
                    .contains("\"policies\":[{\"name\":\"login\",\"limits\":[\"2 per 1m (FIXED_WINDOW)\"]}]")
                    .contains("\"refusals\":{\"total\":0,\"remembered\":0,\"top\":[]}");
        }
    }

    @Test
    void showsAndForgetsWhatAKeyHasUsed() {
        try (OperatedApplication shop = open()) {
            shop.get("/api");
            assertThat(shop.get("/actuator/ratelimit/api/all").body())
                    .isEqualTo("{\"name\":\"api\",\"key\":\"all\",\"allowed\":true,\"limits\":[{\"limit\":"
                            + "\"2 per 1m (FIXED_WINDOW)\",\"remaining\":1,\"retryAfterMicros\":0,"
                            + "\"resetAfterMicros\":60000000}]}");
            assertThat(shop.delete("/actuator/ratelimit/api/all").body()).contains("\"remaining\":2");
        }
    }

    @Test
    void unknownNameIsNotFoundAndSaysWhereToLook() {
        String problem =
                "{\"problem\":\"'unknown' is unknown: no rule, method or policy has this name; see GET ratelimit\"}";
        try (OperatedApplication shop = open()) {
            assertThat(shop.get("/actuator/ratelimit/unknown/all").statusCode()).isEqualTo(404);
            assertThat(shop.get("/actuator/ratelimit/unknown/all").body()).isEqualTo(problem);
            assertThat(shop.delete("/actuator/ratelimit/unknown/all").body()).isEqualTo(problem);
        }
    }

    @Test
    void raisesALimitForTheNextRequest(CapturedOutput output) {
        try (OperatedApplication shop = open()) {
            shop.get("/api");
            shop.get("/api");
            assertThat(shop.get("/api").statusCode()).isEqualTo(429);

            HttpResponse<String> answer = shop.post("/actuator/ratelimit/api", "{\"limit\": 3}");

            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo("{\"name\":\"api\",\"limits\":[\"3 per 1m (FIXED_WINDOW)\"]}");
            assertThat(shop.get("/api").statusCode()).isEqualTo(200);
            assertThat(shop.get("/api").statusCode()).isEqualTo(429);
            shop.post("/actuator/ratelimit/login", "{\"limit\": 30}");
            assertThat(shop.get("/actuator/ratelimit/login/all").body()).contains("\"remaining\":30");
        }
    }

    @Test
    void invalidChangeIsABadRequestThatSaysWhyAndChangesNothing() {
        try (OperatedApplication shop = open("ratelimit.rules[0].cost=2")) {
            assertProblem(
                    shop.post("/actuator/ratelimit/api", "{\"limit\": -1}"),
                    "'api' stays as it is: limit -1 is out of range; use a number from 0 to 1000000000000");
            assertProblem(
                    shop.post("/actuator/ratelimit/api", "{\"limit\": \"many\"}"),
                    "limit 'many' is no whole number; use digits only");
            assertProblem(
                    shop.post("/actuator/ratelimit/api", "{}"),
                    "limit is missing; send a body such as {\\\"limit\\\": 100}");
            assertProblem(
                    shop.post("/actuator/ratelimit/api", "{\"limit\": 4, \"position\": 1}"),
                    "'api' stays as it is: position 1 does not exist; use a number from 0 to 0");
            assertProblem(
                    shop.post("/actuator/ratelimit/api", "{\"limit\": 1}"),
                    "'api' stays as it is: rule 'api': cost '2' is above 1, the most that the limit can ever admit at once; "
                            + "lower the cost, or raise limit or burst");
            assertProblem(
                    shop.post("/actuator/ratelimit/nothing", "{\"limit\": 1}"),
                    "'nothing' stays as it is: no rule, method or policy of the configuration has this name; "
                            + "see GET ratelimit");
            assertThat(shop.get("/actuator/ratelimit/api/all").body()).contains("2 per 1m", "\"remaining\":2");
        }
    }

    @Test
    void attributeThatDoesNotExistIsABadRequestThatChangesNothing() {
        try (OperatedApplication shop = open()) {
            assertProblem(
                    shop.post("/actuator/ratelimit/api", "{\"limit\": 3, \"burts\": 9}"),
                    "every limit stays as it is: 'burts' is no attribute of this operation; use limit, burst or position");
            assertProblem(
                    shop.post("/actuator/ratelimit", "{\"limit\": 5}"),
                    "every limit stays as it is: 'limit' is no attribute of this operation; post it to ratelimit/{name} "
                            + "to change one limit, or post nothing to read the environment again");
            assertThat(shop.get("/actuator/ratelimit/api/all").body()).contains("2 per 1m");
            assertThat(shop.post("/actuator/ratelimit?_csrf=token", "{}").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void limitSharedWithAnotherPlaceDoesNotChangeForOneOfThem() {
        try (OperatedApplication shop = open(
                "ratelimit.rules[2].name=search",
                "ratelimit.rules[2].paths=/new",
                "ratelimit.rules[2].policy=shared",
                "ratelimit.policies.shared.limit=3",
                "ratelimit.policies.shared.window=1m",
                "ratelimit.policies.shared.algorithm=fixed-window")) {
            assertThat(shop.post("/actuator/ratelimit/search", "{\"limit\": 9}").body())
                    .contains("'search' stays as it is: ", "name 'search' is already used by");
            assertThat(shop.get("/actuator/ratelimit/search/all").body()).contains("\"remaining\":3");
        }
    }

    @Test
    void whoWasRefusedMostIsListedUnderAHash() {
        try (OperatedApplication shop = open("ratelimit.rules[0].key=header('X-Team')", "ratelimit.rules[1].key=ip")) {
            Stream.generate(() -> shop.get("/api", "X-Team", "crimson"))
                    .limit(5)
                    .forEach(HttpResponse::body);
            Stream.generate(() -> shop.get("/login")).limit(3).forEach(HttpResponse::body);

            String body = shop.get("/actuator/ratelimit").body();

            assertThat(body)
                    .contains("\"total\":4,\"remembered\":4")
                    .containsPattern("\"top\":\\[\\{\"name\":\"api\",\"key\":\"sha256:[0-9a-f]{32}\",\"refusals\":3,"
                            + "\"last\":\"1970-01-01T00:00:00Z\"},"
                            + "\\{\"name\":\"login\",\"key\":\"sha256:[0-9a-f]{32}\",\"refusals\":1")
                    .doesNotContain("crimson", "127.0.0.1");
        }
    }

    @Test
    void whoWasRefusedMostIsListedByNameIfAllowed() {
        try (OperatedApplication shop = open(
                "ratelimit.endpoint.show-keys=true", "ratelimit.rules[0].key=ip", "ratelimit.endpoint.refusals=2")) {
            Stream.generate(() -> shop.get("/api")).limit(6).forEach(HttpResponse::body);

            assertThat(shop.get("/actuator/ratelimit").body())
                    .contains("\"total\":4,\"remembered\":2")
                    .contains("\"top\":[{\"name\":\"api\",\"key\":\"127.0.0.1\",\"refusals\":2,");
        }
    }

    @Test
    void securedLikeEveryOtherEndpoint() {
        try (OperatedApplication shop = OperatedApplication.start(
                Shop.Controllers.class,
                with("spring.security.user.name=ops", "spring.security.user.password=secret"))) {
            assertThat(shop.get("/actuator/ratelimit").statusCode()).isEqualTo(401);
            assertThat(shop.get("/actuator/metrics").statusCode()).isEqualTo(401);
            assertThat(shop.delete("/actuator/ratelimit/api/all").statusCode()).isIn(401, 403);
            assertThat(shop.post("/actuator/ratelimit").statusCode()).isIn(401, 403);
            assertThat(shop.get("/actuator/ratelimit", "Authorization", LOGIN).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void notExposedUnlessAsked() {
        try (OperatedApplication shop = open("management.endpoints.web.exposure.include=info")) {
            assertThat(shop.get("/actuator/ratelimit").statusCode()).isEqualTo(404);
            assertThat(shop.get("/actuator/info").statusCode()).isEqualTo(200);
        }
    }

    private static OperatedApplication open(String... properties) {
        return OperatedApplication.start(Shop.Open.class, with(properties));
    }

    private static String[] with(String... properties) {
        return Stream.concat(Stream.of(Shop.LIMITS), Stream.of(properties)).toArray(String[]::new);
    }

    /** Lines of Spring Boot differ in whether they write them. */
    private static String withoutNulls(HttpResponse<String> answer) {
        return answer.body().replaceAll("\"\\w+\":null,", "");
    }

    private static void assertProblem(HttpResponse<String> answer, String problem) {
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).isEqualTo("{\"problem\":\"" + problem + "\"}");
    }
}
