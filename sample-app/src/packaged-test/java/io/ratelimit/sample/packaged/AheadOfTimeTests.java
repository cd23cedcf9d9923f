package io.ratelimit.sample.packaged;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** With beans prepared at build time, limits are those that they are without. The clock is real: nothing here is slow. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AheadOfTimeTests {

    private PackagedSample sample;

    @BeforeAll
    void start() throws Exception {
        sample = PackagedSample.start("-Dspring.aot.enabled=true");
    }

    @AfterAll
    void stop() {
        sample.close();
    }

    @Test
    void theBeansWerePreparedAtBuildTime() {
        assertThat(sample.log()).contains("Starting AOT-processed SampleApplication");
    }

    @Test
    void aRefusalFromAnAnnotationHasItsHeadersAndBody() throws Exception {
        String path = "/shop/customers/ada/orders";
        assertThat(sample.statusesOf(3, "POST", path)).containsExactly(201, 201, 201);

        HttpResponse<String> refusal = sample.send("POST", path, "");

        assertThat(refusal.statusCode()).isEqualTo(429);
        assertThat(refusal.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 60L);
        assertThat(refusal.headers().allValues("RateLimit-Policy")).containsExactly("\"orders\";q=3;w=60");
        assertThat(refusal.headers().firstValue("RateLimit")).get().asString().startsWith("\"orders\";r=0;t=");
        assertThat(refusal.headers().firstValue("Content-Type"))
                .get()
                .asString()
                .startsWith("application/problem+json");
        assertThat(refusal.body()).contains("\"violated-policies\":[\"orders\"]");
    }

    @Test
    void keysAndCostsAreReadFromArguments() throws Exception {
        assertThat(sample.statusesOf(1, "GET", "/shop/customers/bob/invoices?pages=20"))
                .containsExactly(200);
        assertThat(sample.statusesOf(1, "GET", "/shop/customers/bob/invoices?pages=20"))
                .containsExactly(429);
        assertThat(sample.statusesOf(1, "GET", "/shop/customers/cleo/invoices?pages=20"))
                .containsExactly(200);
    }

    @Test
    void aPlanIsChosenByABeanAndAHeader() throws Exception {
        assertThat(sample.get("/shop/prices", "X-API-Key", "pro-7f3a").headers().allValues("RateLimit-Policy"))
                .containsExactly("\"prices\";q=50;w=60");
        assertThat(sample.get("/shop/prices", "X-API-Key", "unknown").headers().allValues("RateLimit-Policy"))
                .containsExactly("\"prices\";q=5;w=60");
    }

    @Test
    void aRuleOfTheConfigurationCountsFailedLoginsOnly() throws Exception {
        assertThat(sample.statusesOf(6, "POST", "/shop/login?user=ada&password=apple"))
                .containsOnly(200);
        assertThat(sample.statusesOf(6, "POST", "/shop/login?user=ada&password=wrong"))
                .containsExactly(401, 401, 401, 401, 401, 429);
    }

    @Test
    void aFallbackAnswersInsteadOfARefusal() throws Exception {
        assertThat(sample.statusesOf(4, "GET", "/shop/products/recommended")).containsOnly(200);
        assertThat(sample.get("/shop/products/recommended").body())
                .contains("red apple")
                .doesNotContain("pear");
    }

    @Test
    void thePlaygroundComputes() throws Exception {
        HttpResponse<String> response = sample.send(
                "POST",
                "/playground/api/time-lapse",
                """
                {"settings": {"limit": 1, "windowMillis": 1000, "queue": 1},
                 "arrivals": [{"atMicros": 0, "count": 3}], "fromMicros": 0, "untilMicros": 2000000}""",
                "Content-Type",
                "application/json");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("\"capacity\":2,\"admitted\":2,\"delayed\":1,\"refused\":1");
    }

    @Test
    void theEndpointListsTheLimits() throws Exception {
        HttpResponse<String> report = sample.get("/actuator/ratelimit");

        assertThat(report.statusCode()).isEqualTo(200);
        assertThat(report.body()).contains("\"backend\":\"memory\"", "\"name\":\"login\"", "\"name\":\"search\"");
    }
}
