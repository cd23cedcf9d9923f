package io.ratelimit.sample.shop;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.sample.RunningSample;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ShopTests extends RunningSample {

    @Test
    void productsAreServedTenTimesInAMinuteOfTheClock() {
        assertThat(statusesOf(11, "GET", "/shop/products")).isEqualTo(okThen(10, 1));

        time.advance(Duration.ofMinutes(1));

        assertThat(get("/shop/products").statusCode()).isEqualTo(200);
    }

    @Test
    void everyAnswerSaysWhatIsLeft() {
        HttpResponse<String> response = get("/shop/products/search?text=apple");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().allValues("RateLimit-Policy")).containsExactly("\"search\";q=5;w=30");
        assertThat(response.headers().allValues("RateLimit")).containsExactly("\"search\";r=4;t=60");
        assertThat(response.body()).contains("red apple", "green apple").doesNotContain("pear");
    }

    @Test
    void aRefusalSaysWhenToComeBackAndIsRight() {
        statusesOf(5, "GET", "/shop/products/search");

        HttpResponse<String> refusal = get("/shop/products/search");

        assertThat(refusal.statusCode()).isEqualTo(429);
        assertThat(refusal.headers().allValues("Retry-After")).containsExactly("36");
        assertThat(refusal.headers().allValues("RateLimit")).containsExactly("\"search\";r=0;t=36");
        assertThat(refusal.headers().allValues("Cache-Control")).containsExactly("no-store");
        assertThat(refusal.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("application/problem+json"));
        assertThat(refusal.body()).contains("quota-exceeded", "\"status\":429", "\"violated-policies\"", "search");
        time.advance(Duration.ofSeconds(35));
        assertThat(get("/shop/products/search").statusCode()).isEqualTo(429);
        time.advance(Duration.ofSeconds(1));
        assertThat(get("/shop/products/search").statusCode()).isEqualTo(200);
    }

    @Test
    void eachCustomerHasThreeOrdersAMinute() {
        assertThat(statusesOf(4, "POST", "/shop/customers/ada/orders")).containsExactly(201, 201, 201, 429);
        assertThat(statusesOf(1, "POST", "/shop/customers/bob/orders")).containsExactly(201);
    }

    @Test
    void invoicesCostWhatTheyAreLong() {
        assertThat(get("/shop/customers/ada/invoices?pages=15").statusCode()).isEqualTo(200);
        assertThat(get("/shop/customers/ada/invoices?pages=6").statusCode()).isEqualTo(429);
        HttpResponse<String> five = get("/shop/customers/ada/invoices?pages=5");

        assertThat(five.statusCode()).isEqualTo(200);
        assertThat(five.headers().allValues("RateLimit")).containsExactly("\"invoices\";r=0;t=6");
        assertThat(five.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"invoices\";q=10;w=60;ratelimit-burst=20");
    }

    @Test
    void theQueueForStockIsFourLong() {
        List<Integer> statuses = Stream.generate(() -> "/shop/products/stock")
                .limit(7)
                .parallel()
                .map(path -> get(path).statusCode())
                .sorted()
                .toList();

        assertThat(statuses).isEqualTo(okThen(5, 2));
    }

    @Test
    void bothLimitsOfTheReviewsAreInTheHeaders() {
        HttpResponse<String> response = get("/shop/reviews");

        assertThat(response.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"reviews-1m\";q=20;w=60, \"reviews-1s\";q=3;w=1");
        assertThat(response.headers().allValues("RateLimit"))
                .describedAs("least remaining first")
                .containsExactly("\"reviews-1s\";r=2;t=1, \"reviews-1m\";r=19;t=120");
        assertThat(statusesOf(3, "GET", "/shop/reviews")).isEqualTo(okThen(2, 1));
    }

    @Test
    void aSpellingThatReachesTheReviewsMeetsTheirRule() {
        assertThat(statusesOf(4, "GET", "/shop/%72eviews;x=1")).isEqualTo(okThen(3, 1));
    }

    @Test
    void onlyFailedLoginsCount() {
        String right = "/shop/login?user=ada&password=apple";
        String wrong = "/shop/login?user=ada&password=wrong";

        assertThat(statusesOf(7, "POST", right)).containsOnly(200);
        assertThat(statusesOf(6, "POST", wrong)).containsExactly(401, 401, 401, 401, 401, 429);
        assertThat(statusesOf(1, "POST", right)).containsExactly(429);
    }

    @Test
    void plansDifferAndHaveCountsOfTheirOwn() {
        assertThat(statusesOf(6, "GET", "/shop/prices", "X-API-Key", "unknown")).isEqualTo(okThen(5, 1));
        assertThat(statusesOf(51, "GET", "/shop/prices", "X-API-Key", "pro-7f3a"))
                .isEqualTo(okThen(50, 1));
    }

    @Test
    void onlyLargeQuotesAreLimitedAndShareTheirCountsWithTheArchive() {
        assertThat(statusesOf(9, "GET", "/shop/quotes?pieces=3")).containsOnly(200);
        assertThat(statusesOf(3, "GET", "/shop/quotes?pieces=500")).containsOnly(200);
        assertThat(statusesOf(2, "GET", "/shop/quotes/archive")).isEqualTo(okThen(1, 1));
        assertThat(statusesOf(1, "GET", "/shop/quotes?pieces=500")).containsExactly(429);
    }

    @Test
    void eachCustomerIsRemindedTwiceADay() {
        String path = "/shop/customers/ada/reminders";
        assertThat(statusesOf(2, "POST", path)).containsOnly(200);
        assertThat(post(path).body()).isEqualTo("reminded often enough\n");

        time.advance(Duration.ofDays(1).plusNanos(1_000));

        assertThat(post(path).body()).isEqualTo("reminded\n");
        assertThat(post("/shop/customers/bob/reminders").body()).isEqualTo("reminded\n");
    }

    @Test
    void theBestsellersAnswerInsteadOfARefusal() {
        statusesOf(3, "GET", "/shop/products/recommended");

        HttpResponse<String> response = get("/shop/products/recommended");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).contains("red apple", "green apple").doesNotContain("pear");
        assertThat(response.headers().firstValue("Retry-After")).isEmpty();
    }

    @Test
    void theTrialRuleRefusesNobodyAndIsNotInTheHeaders() {
        HttpResponse<String> third = Stream.generate(() -> get("/shop/products"))
                .limit(3)
                .reduce((before, after) -> after)
                .orElseThrow();

        assertThat(third.statusCode()).isEqualTo(200);
        assertThat(third.headers().allValues("RateLimit-Policy")).containsExactly("\"products\";q=10;w=60");
    }

    private static List<Integer> okThen(int served, int refused) {
        return Stream.concat(Collections.nCopies(served, 200).stream(), Collections.nCopies(refused, 429).stream())
                .toList();
    }
}
