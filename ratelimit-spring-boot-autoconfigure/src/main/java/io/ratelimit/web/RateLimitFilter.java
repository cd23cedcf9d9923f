package io.ratelimit.web;

import io.ratelimit.core.RateLimitExceededException;
import io.ratelimit.enforcement.Enforcement;
import io.ratelimit.enforcement.Enforcer;
import io.ratelimit.enforcement.LimitSpec;
import io.ratelimit.enforcement.Phase;
import io.ratelimit.enforcement.RateLimitEvaluationException;
import io.ratelimit.expression.EvaluationScope;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.web.cors.CorsUtils;

/**
 * Applies the rules of one phase to HTTP requests. There are two in front of an application, before and after Spring
 * Security, even if one of them has no rules: the first keeps what the request was charged, by annotations too, and
 * writes the headers; the second lets requests wait that no {@code DispatcherServlet} handles.
 *
 * <p>Each request is counted once, when it arrives. CORS preflights are not counted: the browser sends them by itself.
 */
public final class RateLimitFilter implements Filter {

    private final Phase phase;

    private final PathRules rules;

    private final Enforcer enforcer;

    private final ClientAddress clientAddress;

    private final RateLimitHeaders headers;

    private final FilterRejections rejections;

    private final WaitOnThread waiting = new WaitOnThread();

    /**
     * Creates the filter of a phase.
     *
     * @param phase when it decides
     * @param rules the rules of all phases
     * @param enforcer decides
     * @param clientAddress finds the address of the client
     * @param headers the quota headers
     * @param rejections answers who is refused
     */
    public RateLimitFilter(
            Phase phase,
            PathRules rules,
            Enforcer enforcer,
            ClientAddress clientAddress,
            RateLimitHeaders headers,
            FilterRejections rejections) {
        this.phase = phase;
        this.rules = rules;
        this.enforcer = enforcer;
        this.clientAddress = clientAddress;
        this.headers = headers;
        this.rejections = rejections;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        if (request instanceof HttpServletRequest httpRequest
                && response instanceof HttpServletResponse httpResponse
                && request.getDispatcherType() == DispatcherType.REQUEST
                && !CorsUtils.isPreFlightRequest(httpRequest)) {
            doFilter(httpRequest, httpResponse, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        LimitedRequest known = LimitedRequest.of(request).orElse(null);
        if (known == null) {
            begin(request, response, chain);
        } else if (known.enter(phase)) {
            decide(known, request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private void begin(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        LimitedRequest state = LimitedRequest.begin(request, rules.snapshot());
        LimitedResponse limitedResponse =
                new LimitedResponse(response, state, headers, CrossOrigin.isCrossOrigin(request));
        state.answeredThrough(limitedResponse);
        state.enter(phase);
        Completion completion = new Completion(state, limitedResponse);
        try {
            decide(state, request, limitedResponse, chain);
            completion.returned(request);
        } catch (Throwable failure) {
            completion.threw(failure);
            throw failure;
        }
    }

    private void decide(
            LimitedRequest state, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        List<LimitSpec> specs = state.rules().matching(phase, request);
        if (!specs.isEmpty() && !admits(specs, state, request, response)) {
            return;
        }
        if (phase == Phase.AFTER_SECURITY) {
            waiting.beforeHandler(state, request);
        }
        proceed(state, request, response, chain);
    }

    private boolean admits(
            List<LimitSpec> specs, LimitedRequest state, HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        try {
            EvaluationScope scope = EvaluationScope.ofRequest(new ServletRequestRoot(request, clientAddress));
            Enforcement enforcement = enforcer.enforce(specs, scope, state.ledger());
            if (enforcement.refused()) {
                reject(enforcement.toAnswer(), state, request, response);
            }
            return !enforcement.refused();
        } catch (RateLimitEvaluationException failure) {
            if (!failure.causedByRequest()) {
                throw failure;
            }
            rejections.invalid(request, response);
            return false;
        }
    }

    /** A refusal by an annotation outside of Spring MVC, in a filter or servlet, is answered like any other. */
    private void proceed(
            LimitedRequest state, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } catch (IOException | ServletException | RuntimeException failure) {
            if (Rejected.asInvalid(failure) && !response.isCommitted()) {
                rejections.invalid(request, response);
                return;
            }
            RateLimitExceededException rejection = Rejected.by(failure);
            if (rejection == null || response.isCommitted()) {
                throw failure;
            }
            reject(rejection, state, request, response);
        }
    }

    private void reject(
            RateLimitExceededException rejection,
            LimitedRequest state,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException, ServletException {
        state.reject(rejection);
        rejections.reject(request, response, rejection);
    }
}
