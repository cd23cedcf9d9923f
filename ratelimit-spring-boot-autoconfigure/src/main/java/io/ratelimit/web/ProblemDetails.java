package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.web.servlet.support.RequestContextUtils;

/**
 * Writes the refusal as {@code application/problem+json} (RFC 9457), with the problem type of
 * draft-ietf-httpapi-ratelimit-headers.
 */
final class ProblemDetails implements RejectionHandler {

    private static final String QUOTA_EXCEEDED = "https://iana.org/assignments/http-problem-types#quota-exceeded";

    private static final Object[] NO_ARGUMENTS = {};

    private final RateLimitHeaders headers;

    private final @Nullable MessageSource messages;

    ProblemDetails(RateLimitHeaders headers, @Nullable MessageSource messages) {
        this.headers = headers;
        this.messages = messages;
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, RateLimitExceededException rejection)
            throws IOException {
        response.setContentType("application/problem+json");
        if ("HEAD".equals(request.getMethod())) {
            return;
        }
        String body = rejection.unavailable() ? unavailable(request) : quotaExceeded(request, rejection);
        write(response, body);
    }

    private String quotaExceeded(HttpServletRequest request, RateLimitExceededException rejection) {
        List<Quota> quotas = Quota.of(rejection);
        List<String> names = headers.violated(quotas);
        long seconds = Seconds.retryAfter(quotas);
        String detail = seconds == Seconds.NONE
                ? "The request exceeds what its quota can ever admit."
                : "Too many requests. Retry in " + seconds + (seconds == 1 ? " second." : " seconds.");
        Object[] arguments = {seconds, String.join(", ", names)};
        return new JsonText()
                .string("type", QUOTA_EXCEEDED)
                .string("title", message(request, "ratelimit.quota-exceeded.title", arguments, "Quota exceeded"))
                .number("status", RejectionWriter.TOO_MANY_REQUESTS)
                .string("detail", message(request, "ratelimit.quota-exceeded.detail", arguments, detail))
                .string("instance", instance(request))
                .strings("violated-policies", names)
                .end();
    }

    private String unavailable(HttpServletRequest request) {
        String detail = "The request cannot be counted at the moment.";
        return new JsonText()
                .string("type", "about:blank")
                .string("title", message(request, "ratelimit.unavailable.title", NO_ARGUMENTS, "Service Unavailable"))
                .number("status", HttpServletResponse.SC_SERVICE_UNAVAILABLE)
                .string("detail", message(request, "ratelimit.unavailable.detail", NO_ARGUMENTS, detail))
                .string("instance", instance(request))
                .end();
    }

    private String message(HttpServletRequest request, String code, Object[] arguments, String defaultMessage) {
        if (messages == null) {
            return defaultMessage;
        }
        Locale locale = RequestContextUtils.getLocale(request);
        String message = messages.getMessage(code, arguments, null, locale);
        return message == null ? defaultMessage : message;
    }

    /** The path as it was sent, but without path parameters: a session id may be among them. */
    static String instance(HttpServletRequest request) {
        String uri = request.getRequestURI();
        return uri.indexOf(';') < 0 ? uri : uri.replaceAll(";[^/]*", "");
    }

    static void write(HttpServletResponse response, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        try {
            ServletOutputStream stream = response.getOutputStream();
            response.setContentLength(bytes.length);
            stream.write(bytes);
        } catch (IllegalStateException writerInUse) {
            // Its encoding is settled and may be any.
            response.getWriter().write(JsonText.ascii(body));
        }
    }
}
