package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Algorithm;
import io.ratelimit.core.Decision;
import io.ratelimit.core.Limit;
import io.ratelimit.core.Policy;
import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.core.RateLimitExceededException.Violation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.StaticMessageSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** The answer without Spring MVC and without the filter. */
class RejectionWriterTests {

    private static final Policy POLICY = Policy.of("api", Limit.of(Algorithm.FIXED_WINDOW, 5, Duration.ofMinutes(1)));

    private final RateLimitHeaders headers = new RateLimitHeaders(List.of(HeaderDialect.IETF));

    private final RejectionWriter writer = new RejectionWriter(headers, new StaticMessageSource());

    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/x");

    private final MockHttpServletResponse response = new MockHttpServletResponse();

    private static RateLimitExceededException refusal(Decision... decisions) {
        return new RateLimitExceededException(List.of(decisions).stream()
                .map(decision -> new Violation("api", decision))
                .toList());
    }

    private static Decision refused(long retryAfterMicros) {
        return Decision.refused(POLICY, "k", 1, 0, 0, retryAfterMicros, retryAfterMicros);
    }

    private String body() {
        return new String(response.getContentAsByteArray(), StandardCharsets.UTF_8);
    }

    @Test
    void aMissingStoreIsA503WithoutQuota() throws Exception {
        writer.write(request, response, refusal(Decision.uncounted(POLICY, "k", 1, false)));
        assertThat(response.getStatus()).isEqualTo(503);
        assertThat(response.getHeader("Cache-Control")).isEqualTo("no-store");
        assertThat(response.containsHeader("Retry-After")).isFalse();
        assertThat(response.containsHeader("RateLimit")).isFalse();
        assertThat(body())
                .isEqualTo("{\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,"
                        + "\"detail\":\"The request cannot be counted at the moment.\",\"instance\":\"/api/x\"}");
    }

    @Test
    void neverMeansNoRetryAfter() throws Exception {
        writer.write(request, response, refusal(refused(1_000_000), refused(Decision.NEVER)));
        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(response.containsHeader("Retry-After")).isFalse();
        assertThat(body()).contains("\"detail\":\"The request exceeds what its quota can ever admit.\"");
    }

    @Test
    void withoutTheFilterTheQuotaHeadersAreWrittenHere() throws Exception {
        writer.write(request, response, refusal(refused(1)));
        assertThat(response.getHeader("RateLimit")).isEqualTo("\"api\";r=0;t=1");
        assertThat(response.getHeader("Retry-After")).isEqualTo("1");
        assertThat(body()).contains("Retry in 1 second.");
    }

    @Test
    void aCommittedResponseIsLeftAlone() throws Exception {
        response.getOutputStream().print("already");
        response.flushBuffer();
        writer.write(request, response, refusal(refused(1)));
        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(body()).isEqualTo("already");
    }

    @Test
    void headHasNoBody() throws Exception {
        request.setMethod("HEAD");
        writer.write(request, response, refusal(refused(1)));
        assertThat(response.getStatus()).isEqualTo(429);
        assertThat(body()).isEmpty();
    }

    @Test
    void whatWasWrittenBeforeIsDroppedEvenThroughAWriter() throws Exception {
        StaticMessageSource messages = new StaticMessageSource();
        messages.addMessage("ratelimit.quota-exceeded.title", Locale.ENGLISH, "é");
        response.getWriter().print("half an answer");
        new RejectionWriter(headers, messages).write(request, response, refusal(refused(1)));
        assertThat(body()).startsWith("{\"type\":").contains("\"title\":").doesNotContain("half");
    }

    @Test
    void theInstanceHoldsNeitherParametersNorQuery() throws Exception {
        request.setRequestURI("/api;jsessionid=SECRET/x;a=\"b");
        request.setQueryString("token=SECRET");
        writer.write(request, response, refusal(refused(1)));
        assertThat(body()).contains("\"instance\":\"/api/x\"").doesNotContain("SECRET");
    }
}
