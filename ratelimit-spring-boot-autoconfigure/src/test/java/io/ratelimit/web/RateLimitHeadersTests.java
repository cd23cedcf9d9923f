package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.LimitStatus;
import io.ratelimit.core.Policy;
import io.ratelimit.web.StructuredFieldParser.Item;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletResponse;

class RateLimitHeadersTests {

    private static final Limit MINUTE = Limit.of(Algorithm.FIXED_WINDOW, 100, Duration.ofMinutes(1));

    private static final Limit SECOND = Limit.of(Algorithm.SLIDING_LOG, 10, Duration.ofSeconds(1));

    private static Quota admitted(String name, Limit limit, long remaining, long resetAfterMicros) {
        return new Quota(
                name, Decision.admitted(null, Policy.of(name, limit), "k", 1, 0, remaining, resetAfterMicros, 0));
    }

    private static Quota refused(String name, Limit limit, long remaining, long resetAfter, long retryAfter) {
        return new Quota(name, Decision.refused(Policy.of(name, limit), "k", 1, 0, remaining, resetAfter, retryAfter));
    }

    private static MockHttpServletResponse write(List<HeaderDialect> dialects, Quota... quotas) {
        MockHttpServletResponse response = new MockHttpServletResponse();
        new RateLimitHeaders(dialects).write(response, List.of(quotas));
        return response;
    }

    private static MockHttpServletResponse ietf(Quota... quotas) {
        MockHttpServletResponse response = write(List.of(HeaderDialect.IETF), quotas);
        for (String name : HeaderDialect.IETF.headerNames()) {
            response.getHeaders(name).forEach(StructuredFieldParser::parseList);
        }
        return response;
    }

    @Test
    void oneLimitIsOneItem() {
        MockHttpServletResponse response = ietf(admitted("api", MINUTE, 50, 30_000_000));
        assertThat(response.getHeaders("RateLimit-Policy")).containsExactly("\"api\";q=100;w=60");
        assertThat(response.getHeaders("RateLimit")).containsExactly("\"api\";r=50;t=30");
    }

    @Test
    void textsOfPoliciesInForceAreKeptHoweverManyWereReplaced() {
        LimitTexts texts = new LimitTexts();
        for (int limit = 1; limit <= 1_024; limit++) {
            texts.of("api", Policy.of("api", Limit.of(Algorithm.FIXED_WINDOW, limit, Duration.ofMinutes(1))));
        }
        Policy inForce = Policy.of("api", Limit.of(Algorithm.FIXED_WINDOW, 5_000, Duration.ofMinutes(1)));
        assertThat(texts.of("api", inForce)).isSameAs(texts.of("api", inForce));
    }

    @Test
    void policiesThatAreEqualShareTheirTexts() {
        LimitTexts texts = new LimitTexts();
        assertThat(texts.of("api", Policy.of("api", MINUTE))).isSameAs(texts.of("api", Policy.of("api", MINUTE)));
    }

    @Test
    void resetIsOmittedAtItsMaximum() {
        assertThat(ietf(admitted("api", MINUTE, 100, 0)).getHeader("RateLimit")).isEqualTo("\"api\";r=100");
    }

    @Test
    void burstsAreShownWhereTheyDiffer() {
        Limit token = Limit.of(Algorithm.TOKEN_BUCKET, 100, Duration.ofMinutes(1));
        assertThat(ietf(admitted("api", token, 1, 0)).getHeader("RateLimit-Policy"))
                .isEqualTo("\"api\";q=100;w=60");
        assertThat(ietf(admitted("api", token.withBurst(250), 1, 0)).getHeader("RateLimit-Policy"))
                .isEqualTo("\"api\";q=100;w=60;ratelimit-burst=250");
    }

    @Test
    void windowsThatAreNoWholeSecondsAreOmitted() {
        Limit limit = Limit.of(Algorithm.FIXED_WINDOW, 3, Duration.ofMillis(1500));
        assertThat(ietf(admitted("api", limit, 1, 0)).getHeader("RateLimit-Policy"))
                .isEqualTo("\"api\";q=3");
    }

    @Test
    void severalLimitsAreNamedByTheirWindowsAndTheTightestComesFirst() {
        Policy policy = Policy.of("api", MINUTE, SECOND);
        Decision decision = Decision.of(
                null,
                policy,
                "k",
                1,
                0,
                List.of(
                        new LimitStatus(MINUTE, true, 50, 0, 30_000_000, 0),
                        new LimitStatus(SECOND, true, 9, 0, 1_000_001, 0)));
        MockHttpServletResponse response = ietf(new Quota("api", decision));
        assertThat(response.getHeader("RateLimit-Policy")).isEqualTo("\"api-1m\";q=100;w=60, \"api-1s\";q=10;w=1");
        assertThat(response.getHeader("RateLimit")).isEqualTo("\"api-1s\";r=9;t=1, \"api-1m\";r=50;t=30");
    }

    @Test
    void equalWindowsOfOnePolicyAreNumbered() {
        Limit other = Limit.of(Algorithm.SLIDING_COUNTER, 90, Duration.ofMinutes(1));
        Decision decision = Decision.of(
                null,
                Policy.of("api", MINUTE, other),
                "k",
                1,
                0,
                List.of(new LimitStatus(MINUTE, true, 5, 0, 0, 0), new LimitStatus(other, true, 6, 0, 0, 0)));
        assertThat(ietf(new Quota("api", decision)).getHeader("RateLimit"))
                .isEqualTo("\"api-1m\";r=5, \"api-1m-2\";r=6");
    }

    @Test
    void differentLimitsOfOneNameAreNumberedAndEqualOnesAreOne() {
        MockHttpServletResponse response = ietf(
                admitted("default", MINUTE, 50, 0),
                admitted("default", SECOND, 3, 0),
                admitted("default", MINUTE, 49, 0));
        assertThat(response.getHeader("RateLimit-Policy")).isEqualTo("\"default\";q=100;w=60, \"default-2\";q=10;w=1");
        assertThat(response.getHeader("RateLimit")).isEqualTo("\"default-2\";r=3, \"default\";r=49");
    }

    @Test
    void onARefusalOnlyWhoRefusedSaysWhen() {
        MockHttpServletResponse response =
                ietf(admitted("a", MINUTE, 50, 30_000_000), refused("b", MINUTE, 0, 12_000_001, 12_000_001));
        assertThat(response.getHeader("RateLimit")).isEqualTo("\"b\";r=0;t=13, \"a\";r=50");
    }

    @Test
    void resetIsNeverLaterThanRetryAfter() {
        assertThat(ietf(refused("a", MINUTE, 0, 9_000_000, 5_000_000)).getHeader("RateLimit"))
                .isEqualTo("\"a\";r=0;t=5");
    }

    @Test
    void whatWasNotCountedHasNoHeaders() {
        Quota uncounted = new Quota("api", Decision.uncounted(Policy.of("api", MINUTE), "k", 1, true));
        assertThat(ietf(uncounted).getHeaderNames()).isEmpty();
        assertThat(ietf().getHeaderNames()).isEmpty();
    }

    @Test
    void theOldDialectsShowTheTightestLimit() {
        MockHttpServletResponse response = write(
                List.of(HeaderDialect.X_RATELIMIT, HeaderDialect.DRAFT_03),
                admitted("a", MINUTE, 50, 30_000_000),
                admitted("b", SECOND, 3, 900_001));
        assertThat(response.getHeader("X-RateLimit-Limit")).isEqualTo("10");
        assertThat(response.getHeader("X-RateLimit-Remaining")).isEqualTo("3");
        assertThat(response.getHeader("X-RateLimit-Reset")).isEqualTo("1");
        assertThat(response.getHeader("RateLimit-Limit")).isEqualTo("10, 100;w=60, 10;w=1");
        assertThat(response.getHeader("RateLimit-Remaining")).isEqualTo("3");
        assertThat(response.getHeader("RateLimit-Reset")).isEqualTo("1");
        assertThat(response.containsHeader("RateLimit")).isFalse();
    }

    @Test
    void onARefusalTheOldDialectsShowWhoRefused() {
        MockHttpServletResponse response = write(
                List.of(HeaderDialect.X_RATELIMIT),
                admitted("a", MINUTE, 1, 30_000_000),
                refused("b", SECOND, 3, 500_000, 800_000));
        assertThat(response.getHeader("X-RateLimit-Limit")).isEqualTo("10");
        assertThat(response.getHeader("X-RateLimit-Remaining")).isEqualTo("3");
        assertThat(response.getHeader("X-RateLimit-Reset")).isEqualTo("1");
    }

    @Test
    void allDialectsCanStandTogether() {
        MockHttpServletResponse response =
                write(List.of(HeaderDialect.values()), admitted("api", MINUTE, 50, 30_000_000));
        assertThat(response.getHeaderNames())
                .containsExactlyInAnyOrder(
                        "RateLimit-Policy",
                        "RateLimit",
                        "X-RateLimit-Limit",
                        "X-RateLimit-Remaining",
                        "X-RateLimit-Reset",
                        "RateLimit-Limit",
                        "RateLimit-Remaining",
                        "RateLimit-Reset");
    }

    @Test
    void noneWritesNothing() {
        assertThat(write(List.of(HeaderDialect.NONE), admitted("api", MINUTE, 50, 0))
                        .getHeaderNames())
                .isEmpty();
    }

    @Test
    void namesAreQuotedAndRefusedIfTheyCannotBe() {
        List<Item> items = StructuredFieldParser.parseList(
                ietf(admitted("a \"b\" \\ c", MINUTE, 1, 0)).getHeader("RateLimit"));
        assertThat(items).containsExactly(new Item("a \"b\" \\ c", Map.of("r", 1L)));
        assertThat(RateLimitHeaders.isValidName("api v1~")).isTrue();
        assertThat(RateLimitHeaders.isValidName("café")).isFalse();
        assertThat(RateLimitHeaders.isValidName("a\r\nb")).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> StructuredField.string("a\r\nX: 1"))
                .withMessage(
                        "name 'a\\u000d\\u000aX: 1' cannot stand in a header; use printable ASCII characters only");
    }

    @Test
    void integersStayInRange() {
        Decision decision =
                Decision.admitted(null, Policy.of("a", MINUTE), "k", 1, 0, Long.MAX_VALUE, Long.MAX_VALUE, 0);
        assertThat(ietf(new Quota("a", decision)).getHeader("RateLimit"))
                .isEqualTo("\"a\";r=999999999999999;t=9223372036855");
    }

    @Test
    void everyRandomSetOfHeadersCanBeParsedAndIsSorted() {
        Random random = new Random(7);
        Algorithm[] algorithms = Algorithm.values();
        for (int i = 0; i < 5_000; i++) {
            List<Quota> quotas = new ArrayList<>();
            for (int j = random.nextInt(4); j >= 0; j--) {
                Limit limit = Limit.ofMicros(
                        algorithms[random.nextInt(algorithms.length)],
                        Math.abs(random.nextLong() % 1_000_000_000_001L),
                        1_000 + Math.abs(random.nextLong() % 31_622_399_999_000L));
                quotas.add(admitted("p" + random.nextInt(3), limit, random.nextInt(1000), random.nextInt()));
            }
            MockHttpServletResponse response = ietf(quotas.toArray(Quota[]::new));
            List<Item> limits = StructuredFieldParser.parseList(response.getHeader("RateLimit"));
            List<Item> policies = StructuredFieldParser.parseList(response.getHeader("RateLimit-Policy"));
            assertThat(limits).extracting(Item::value).doesNotHaveDuplicates();
            assertThat(limits)
                    .extracting(Item::value)
                    .containsExactlyInAnyOrderElementsOf(
                            policies.stream().map(Item::value).toList());
            assertThat(limits)
                    .extracting(item -> (Long) item.parameters().get("r"))
                    .isSorted();
            assertThat(policies)
                    .allSatisfy(item -> assertThat(item.parameters()).containsKey("q"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, FIXED_WINDOW, 1",
        "1, FIXED_WINDOW, 1",
        "1000000, FIXED_WINDOW, 1",
        "1000001, FIXED_WINDOW, 2",
        "10000000, FIXED_WINDOW, 10",
        "10000001, TOKEN_BUCKET, 11",
        "10000001, SLIDING_LOG, 10",
        "10000002, SLIDING_LOG, 11",
        "1, SLIDING_LOG, 1",
        "9223372036854775807, FIXED_WINDOW, 9223372036855",
    })
    void secondsAreRoundedUp(long micros, Algorithm algorithm, long seconds) {
        assertThat(Seconds.roundUp(micros, algorithm)).isEqualTo(seconds);
    }

    @Test
    void retryAfterIsTheLargestOfThoseWhoRefused() {
        assertThat(Seconds.retryAfter(List.of(
                        admitted("a", MINUTE, 0, 60_000_000),
                        refused("b", MINUTE, 0, 0, 5_000_001),
                        refused("c", SECOND, 0, 0, 1_000_001))))
                .isEqualTo(6);
        assertThat(Seconds.retryAfter(
                        List.of(refused("b", MINUTE, 0, 0, 5_000_000), refused("c", SECOND, 0, 0, Decision.NEVER))))
                .isEqualTo(Seconds.NONE);
    }

    @ParameterizedTest
    @CsvSource({
        "60000000, 1m",
        "90000000, 90s",
        "3600000000, 1h",
        "86400000000, 1d",
        "900000000, 15m",
        "1500000, 1500ms",
        "1000001, 1000001us"
    })
    void windowsAreNamedInTheLargestUnitWithoutRemainder(long micros, String name) {
        assertThat(LimitTexts.window(micros)).isEqualTo(name);
    }
}
