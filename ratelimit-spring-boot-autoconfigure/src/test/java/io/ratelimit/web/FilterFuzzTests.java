package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.enforcement.LimitDeclaration;
import io.ratelimit.enforcement.LimitText;
import io.ratelimit.web.ClientAddress.ForwardingHeader;
import io.ratelimit.web.FilterObject.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/**
 * Random requests through the filter: whatever arrives is answered with 200, 400 or 429 and well-formed headers. The
 * number of requests and the seed are system properties, {@code fuzz.requests} and {@code fuzz.seed}.
 */
@Tag("fuzz")
class FilterFuzzTests {

    private static final int REQUESTS = Integer.getInteger("fuzz.requests", 5_000);

    private static final long SEED = Long.getLong("fuzz.seed", 20_261_130);

    private static final Set<Integer> ANSWERS = Set.of(200, 400, 429);

    private static final int MAX_KEYS = 10_000;

    private static final long SPARE_BYTES = 24L << 20;

    private static final LimitText FIVE = LimitText.of("5", "10s", "sliding-counter");

    private static final Rule[] RULES = {
        new Rule(LimitDeclaration.ofRule("all").limit(LimitText.of("9", "1s", "token-bucket")), "/**"),
        new Rule(LimitDeclaration.ofRule("ip").limit(FIVE).key("ip"), "/api/**", "/{id}"),
        new Rule(LimitDeclaration.ofRule("header").limit(FIVE).key("header('X-Key') ?: ip"), "/api/**"),
        new Rule(LimitDeclaration.ofRule("parts").limit(FIVE).key("{header('X-Key'), path, method}"), "/user/**"),
        new Rule(
                LimitDeclaration.ofRule("text").limit(FIVE).key("header('X-Key').substring(3).toLowerCase()"),
                "/api/**"),
        new Rule(LimitDeclaration.ofRule("user").limit(FIVE).key("principal.name + header('X-Key')[0]"), "/user/**"),
        new Rule(
                LimitDeclaration.ofRule("cost")
                        .limit(LimitText.of("50", "1s", "leaky-bucket"))
                        .cost("T(Long).parseLong(header('X-Cost'))"),
                "/cost/**"),
        new Rule(
                LimitDeclaration.ofRule("length").limit(FIVE).cost("path.length() - header('X-Cost').length()"),
                "/cost/**"),
        new Rule(LimitDeclaration.ofRule("plan").policy("#{header('X-Plan')}"), "/plan/**"),
        new Rule(
                LimitDeclaration.ofRule("condition").limit(FIVE).condition("T(Integer).parseInt(header('X-Cost')) > 0"),
                "/**"),
        new Rule(LimitDeclaration.ofRule("failures").limit(FIVE).countWhen("status / (status - 200) > 1"), "/**")
    };

    @ParameterizedTest
    @EnumSource(ForwardingHeader.class)
    void whateverArrivesIsAnsweredAndNothingGrows(ForwardingHeader header) throws Exception {
        ClientAddress.Settings clientIp = new ClientAddress.Settings(List.of("10.0.0.0/8", "::1"), header, 64);
        HostileRequests requests = new HostileRequests(SEED + header.ordinal());
        TreeMap<Integer, Integer> statuses = new TreeMap<>();
        try (FilterObject filter = new FilterObject(
                MAX_KEYS, clientIp, (request, response) -> {}, List.of(plan("FREE", 2), plan("PRO", 20)), RULES)) {
            send(filter, requests, REQUESTS / 4, statuses);
            long heap = KeyFloodTests.usedHeap();
            send(filter, requests, REQUESTS - REQUESTS / 4, statuses);
            long grown = KeyFloodTests.usedHeap() - heap;
            System.out.printf(
                    "fuzz: %s, answers %s, heap %+,d KiB since the first quarter%n", header, statuses, grown >> 10);
            assertThat(grown).isLessThan(SPARE_BYTES);
        }
        assertThat(statuses.keySet()).containsExactly(200, 400, 429);
    }

    private static Policy plan(String name, long limit) {
        return Policy.of(name, Limit.of(Algorithm.FIXED_WINDOW, limit, Duration.ofSeconds(10)));
    }

    private static void send(
            FilterObject filter, HostileRequests requests, int count, TreeMap<Integer, Integer> statuses) {
        for (int i = 0; i < count; i++) {
            MockHttpServletRequest request = requests.next();
            try {
                MockHttpServletResponse response = filter.send(request);
                statuses.merge(response.getStatus(), 1, Integer::sum);
                check(response);
            } catch (Exception | AssertionError failure) {
                throw new AssertionError(describe(request), failure);
            }
            filter.time.advanceMicros(1_000);
        }
    }

    private static void check(MockHttpServletResponse response) throws Exception {
        if (!ANSWERS.contains(response.getStatus())) {
            throw new AssertionError("status " + response.getStatus());
        }
        for (String name : response.getHeaderNames()) {
            for (String value : response.getHeaders(name)) {
                if (!value.chars().allMatch(c -> c >= ' ' && c < 0x7f)) {
                    throw new AssertionError(name + ": " + value);
                }
            }
        }
        if (response.getHeader("RateLimit") != null) {
            StructuredFieldParser.parseList(response.getHeader("RateLimit"));
            StructuredFieldParser.parseList(response.getHeader("RateLimit-Policy"));
        }
        if (response.getStatus() == 429) {
            assertThat(response.getContentType()).startsWith("application/problem+json");
        }
    }

    private static String describe(MockHttpServletRequest request) {
        StringBuilder text = new StringBuilder(request.getMethod() + " " + request.getRequestURI() + " from "
                + request.getRemoteAddr() + " in context '" + request.getContextPath() + "'");
        request.getHeaderNames()
                .asIterator()
                .forEachRemaining(
                        name -> text.append('\n').append(name).append(": ").append(request.getHeader(name)));
        return text.toString();
    }
}
