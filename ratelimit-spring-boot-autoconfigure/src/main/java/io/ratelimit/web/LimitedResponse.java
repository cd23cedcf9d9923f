package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Charge;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.springframework.http.HttpHeaders;

/**
 * Writes the quota headers of filter and annotations as one set, as late as possible: when something is done to the
 * response that may commit it, or when the filter is left. Asking for the body counts as such, so that streams need not be
 * wrapped; what is charged after that but before the commit is still written at the end.
 */
final class LimitedResponse extends HttpServletResponseWrapper {

    private final LimitedRequest request;

    private final RateLimitHeaders headers;

    private final boolean crossOrigin;

    private int writtenCharges;

    LimitedResponse(
            HttpServletResponse response, LimitedRequest request, RateLimitHeaders headers, boolean crossOrigin) {
        super(response);
        this.request = request;
        this.headers = headers;
        this.crossOrigin = crossOrigin;
    }

    /** Writes what is not written yet; does nothing once the response is committed. */
    void finish() {
        writeHeaders(getStatus());
    }

    private void writeHeaders(int status) {
        List<Charge> charges = request.ledger().charges();
        RateLimitExceededException rejection = request.rejection();
        if (charges.size() == writtenCharges && rejection == null || isCommitted()) {
            return;
        }
        HttpServletResponse response = (HttpServletResponse) getResponse();
        headers.write(response, quotas(charges));
        writtenCharges = charges.size();
        if (rejection != null && (status == RejectionWriter.TOO_MANY_REQUESTS || status == SC_SERVICE_UNAVAILABLE)) {
            completeRejection(response, rejection);
        }
        if (crossOrigin) {
            CrossOrigin.expose(response, headers.exposed());
        }
    }

    /** What {@link RejectionWriter} writes, for an answer that the application wrote itself. */
    private static void completeRejection(HttpServletResponse response, RateLimitExceededException rejection) {
        long seconds = Seconds.retryAfter(Quota.of(rejection));
        if (seconds != Seconds.NONE && !response.containsHeader(HttpHeaders.RETRY_AFTER)) {
            response.setHeader(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        }
        if (!response.containsHeader(HttpHeaders.CACHE_CONTROL)) {
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        }
    }

    private static List<Quota> quotas(List<Charge> charges) {
        List<Quota> quotas = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            quotas.add(new Quota(charge.wireName(), charge.decision()));
        }
        return quotas;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        finish();
        return super.getOutputStream();
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        finish();
        return super.getWriter();
    }

    @Override
    public void flushBuffer() throws IOException {
        finish();
        super.flushBuffer();
    }

    @Override
    public void sendError(int status) throws IOException {
        writeHeaders(status);
        super.sendError(status);
    }

    @Override
    public void sendError(int status, String message) throws IOException {
        writeHeaders(status);
        super.sendError(status, message);
    }

    @Override
    public void sendRedirect(String location) throws IOException {
        finish();
        super.sendRedirect(location);
    }

    @Override
    public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
        finish();
        super.sendRedirect(location, status, clearBuffer);
    }

    @Override
    public void reset() {
        super.reset();
        writtenCharges = 0;
    }
}
