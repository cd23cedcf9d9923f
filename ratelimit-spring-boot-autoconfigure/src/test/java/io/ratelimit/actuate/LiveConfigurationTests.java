package io.ratelimit.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.RateLimiter;
import java.net.http.HttpResponse;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;

/** Limits that change while the application runs, by its environment or by the endpoint, as its clients see it. */
@ExtendWith(OutputCaptureExtension.class)
class LiveConfigurationTests {

    private OperatedApplication shop;

    @BeforeEach
    void start() {
        shop = OperatedApplication.start(Shop.Open.class, Shop.LIMITS);
    }

    @AfterEach
    void stop() {
        shop.close();
    }

    @Test
    void raisedLimitOfARuleHoldsForTheNextRequestAndCountsAreKept() {
        assertThat(remaining("/api")).isEqualTo("r=1");
        shop.set("ratelimit.rules[0].limit=5");

        HttpResponse<String> answer = shop.post("/actuator/ratelimit");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo(
                        "{\"accepted\":true,\"problem\":\"\",\"changed\":[\"rule 'api': /api, 5 per 1m (FIXED_WINDOW) "
                                + "for each 'all', before Spring Security; before: /api, 2 per 1m (FIXED_WINDOW) for each 'all', "
                                + "before Spring Security\"],\"needRestart\":[]}");
        assertThat(remaining("/api")).isEqualTo("r=3");
    }

    @Test
    void theEventOfSpringCloudIsEnough() {
        assertThat(remaining("/login")).isEqualTo("r=1");
        assertThat(remaining("/search")).isEqualTo("r=2");
        shop.set("ratelimit.policies.login.limit=10", "search.limit=20");

        shop.context().publishEvent(new EnvironmentChangeEvent(this, Set.of("search.limit")));

        assertThat(remaining("/login")).describedAs("a policy").isEqualTo("r=8");
        assertThat(remaining("/search")).describedAs("a placeholder").isEqualTo("r=18");
    }

    @Test
    void loweredLimitRefusesWhatIsUsedUpAlready() {
        remaining("/api");
        shop.set("ratelimit.rules[0].limit=1");

        shop.post("/actuator/ratelimit");

        assertThat(shop.get("/api").statusCode()).isEqualTo(429);
    }

    @Test
    void ruleIsAddedMovedAndRemoved() {
        shop.set(
                "ratelimit.rules[0].paths=/new",
                "ratelimit.rules[1].name=all",
                "ratelimit.rules[1].paths=/search",
                "ratelimit.rules[1].policy=login");

        HttpResponse<String> answer = shop.post("/actuator/ratelimit");

        assertThat(answer.body()).contains("rule 'all': /search, 2 per 1m", "; new\"", "\"rule 'login': removed\"");
        assertThat(shop.get("/login").headers().firstValue("RateLimit")).isEmpty();
        assertThat(shop.get("/api").headers().firstValue("RateLimit")).isEmpty();
        assertThat(remaining("/new")).isEqualTo("r=1");
        assertThat(shop.get("/search").headers().firstValue("RateLimit"))
                .hasValueSatisfying(header -> assertThat(header).contains("\"all\";r=1"));
    }

    @Test
    void policyOfTheRateLimiterBeanChangesToo() {
        RateLimiter limiter = shop.context().getBean(RateLimiter.class);
        limiter.acquire("login", "ada", 2);
        shop.set("ratelimit.policies.login.limit=3");

        shop.post("/actuator/ratelimit");

        assertThat(limiter.acquire("login", "ada", 1).allowed()).isTrue();
        assertThat(limiter.acquire("login", "ada", 1).allowed()).isFalse();
    }

    @Test
    void oneMistakeRefusesTheWholeChange(CapturedOutput output) {
        remaining("/api");
        shop.set("ratelimit.rules[0].limit=50", "search.limit=60", "ratelimit.policies.login.window=15x");

        HttpResponse<String> answer = shop.post("/actuator/ratelimit");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .isEqualTo("{\"problem\":\"every limit stays as it is: policy 'login': window '15x' is not a duration; "
                        + "use 15m or PT15M\"}");
        assertThat(output)
                .contains("The changed configuration is refused and every limit stays as it is: policy 'login'");
        assertThat(remaining("/api")).isEqualTo("r=0");
        assertThat(remaining("/search")).isEqualTo("r=2");
    }

    @Test
    void valueThatCannotBeReadAndKeyThatDoesNotExistAreRefused() {
        shop.set("ratelimit.rules[0].limit=many");
        assertThat(shop.post("/actuator/ratelimit").body()).contains("Rule 'api': limit 'many' is not a whole number");

        shop.set("ratelimit.rules[0].limit=9", "ratelimit.rules[0].windw=1s");
        assertThat(shop.post("/actuator/ratelimit").body()).contains("ratelimit.rules[0].windw does not exist");
        assertThat(remaining("/api")).isEqualTo("r=1");
    }

    @Test
    void placeholderWithoutAValueIsRefused() {
        shop.unset("search.limit");

        HttpResponse<String> answer = shop.post("/actuator/ratelimit");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("method Open.search: limitString '${search.limit}' has a placeholder");
        assertThat(remaining("/search")).isEqualTo("r=2");
    }

    @Test
    void refusedEnvironmentDoesNotComeIntoForceWithAnotherChange() {
        shop.set("ratelimit.rules[0].limit=-1", "search.limit=2000");
        assertThat(shop.post("/actuator/ratelimit").statusCode()).isEqualTo(400);

        assertThat(shop.post("/actuator/ratelimit/login", "{\"limit\": 9}").statusCode())
                .isEqualTo(200);

        assertThat(remaining("/login")).isEqualTo("r=8");
        assertThat(remaining("/search")).isEqualTo("r=2");
        shop.set("ratelimit.rules[0].limit=7");
        shop.post("/actuator/ratelimit");
        assertThat(remaining("/search")).isEqualTo("r=1998");
    }

    @Test
    void changeNeedsNoPlaceholderThatIsLostMeanwhile() {
        shop.unset("search.limit");

        assertThat(shop.post("/actuator/ratelimit/login", "{\"limit\": 9}").statusCode())
                .isEqualTo(200);

        assertThat(remaining("/search")).isEqualTo("r=2");
    }

    @Test
    void oneNameWithTwoLimitsIsRefusedAsAtStartUp() {
        shop.set("ratelimit.rules[1].name=search");

        HttpResponse<String> answer = shop.post("/actuator/ratelimit");

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains(
                        "name 'search' is already used by rule 'search' with other limits; give both the same limits");
    }

    @Test
    void whatIsOnlyReadAtStartUpIsNamed(CapturedOutput output) {
        shop.set("ratelimit.memory.max-keys=7", "ratelimit.web.headers=none", "ratelimit.rules[0].limit=4");

        HttpResponse<String> answer = shop.post("/actuator/ratelimit");

        assertThat(answer.body()).contains("\"needRestart\":[\"ratelimit.web\",\"ratelimit.memory\"]");
        assertThat(output).contains("ratelimit.web, ratelimit.memory changed, but is only read at start-up");
        assertThat(remaining("/api")).isEqualTo("r=3");
    }

    @Test
    void changeByTheEndpointOutlivesAReloadThatSaysNothingNewOfIt() {
        shop.post("/actuator/ratelimit/api", "{\"limit\": 10}");
        shop.set("search.limit=4");
        shop.post("/actuator/ratelimit");
        assertThat(remaining("/api")).isEqualTo("r=9");

        shop.set("ratelimit.rules[0].limit=6");
        shop.post("/actuator/ratelimit");
        assertThat(remaining("/api")).describedAs("the configuration wins").isEqualTo("r=4");

        shop.set("ratelimit.rules[0].limit=2");
        shop.post("/actuator/ratelimit");
        assertThat(shop.get("/api").statusCode())
                .describedAs("the change does not come back")
                .isEqualTo(429);
    }

    private String remaining(String path) {
        HttpResponse<String> response = shop.get(path);
        assertThat(response.statusCode()).isEqualTo(200);
        String header = response.headers().firstValue("RateLimit").orElseThrow();
        return header.split(";")[1];
    }
}
