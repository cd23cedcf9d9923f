package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * Writes the answer to a refused request. Declare a bean of this type to replace the problem+json body, for filter and
 * annotation alike; an {@code @ExceptionHandler} for {@link RateLimitExceededException} goes first.
 */
@FunctionalInterface
public interface RejectionHandler {

    /**
     * Answers a refused request. The status (429, or 503 if the store could not be reached), {@code Retry-After},
     * {@code Cache-Control} and CORS headers are set already and may be changed; quota headers follow when the response
     * is committed.
     *
     * @param request the request
     * @param response the response, not committed and with an empty buffer
     * @param rejection what refused
     * @throws IOException if writing fails
     * @throws ServletException if anything else fails
     */
    void handle(HttpServletRequest request, HttpServletResponse response, RateLimitExceededException rejection)
            throws IOException, ServletException;
}
