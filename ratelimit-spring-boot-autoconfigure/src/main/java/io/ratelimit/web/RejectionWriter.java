package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.http.HttpHeaders;

/** Turns a refusal, of the filter or of an annotation, into the response. */
public final class RejectionWriter {

    static final int TOO_MANY_REQUESTS = 429;

    private final RateLimitHeaders headers;

    private final RejectionHandler handler;

    /**
     * Creates a writer whose body is problem+json.
     *
     * @param headers the quota headers
     * @param messages texts for {@code ratelimit.quota-exceeded.title} and {@code .detail} (with the seconds to wait and
     *     the names of the policies as arguments) and {@code ratelimit.unavailable.title} and {@code .detail};
     *     {@code null} for English only
     */
    public RejectionWriter(RateLimitHeaders headers, @Nullable MessageSource messages) {
        this(headers, new ProblemDetails(headers, messages));
    }

    /**
     * Creates a writer with a body of the application.
     *
     * @param headers the quota headers
     * @param handler writes the body
     */
    public RejectionWriter(RateLimitHeaders headers, RejectionHandler handler) {
        this.headers = headers;
        this.handler = handler;
    }

    /** Answers a refused request, unless the response is committed. */
    void write(HttpServletRequest request, HttpServletResponse response, RateLimitExceededException rejection)
            throws IOException, ServletException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        response.setStatus(rejection.unavailable() ? HttpServletResponse.SC_SERVICE_UNAVAILABLE : TOO_MANY_REQUESTS);
        List<Quota> quotas = Quota.of(rejection);
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        long seconds = Seconds.retryAfter(quotas);
        if (seconds != Seconds.NONE) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        }
        if (LimitedRequest.of(request).isEmpty()) {
            headers.write(response, quotas);
        }
        handler.handle(request, response, rejection);
    }
}
