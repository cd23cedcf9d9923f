package io.ratelimit.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.http.HttpHeaders;

/**
 * The answer to a request that carries something from which its cost or its policy cannot be computed: a 400 as
 * {@code application/problem+json}. What exactly is wrong stands in the log, since it may show how limits are made.
 */
final class InvalidRequest {

    private InvalidRequest() {}

    static void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        response.setStatus(HttpServletResponse.SC_BAD_REQUEST);
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        response.setContentType("application/problem+json");
        if (!"HEAD".equals(request.getMethod())) {
            ProblemDetails.write(response, body(request));
        }
    }

    private static String body(HttpServletRequest request) {
        return new JsonText()
                .string("type", "about:blank")
                .string("title", "Bad Request")
                .number("status", HttpServletResponse.SC_BAD_REQUEST)
                .string("detail", "The request cannot be counted: a value in it is missing or invalid.")
                .string("instance", ProblemDetails.instance(request))
                .end();
    }
}
