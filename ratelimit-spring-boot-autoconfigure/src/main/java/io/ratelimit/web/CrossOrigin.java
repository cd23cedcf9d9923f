package io.ratelimit.web;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.ServerHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.cors.DefaultCorsProcessor;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.HandlerExecutionChain;

/**
 * Gives a refusal the CORS headers that the route would have had, or a script of another origin could not even read that
 * it was refused. A filter refuses before those who know the route's CORS settings ran; so they are asked in their order:
 * {@link CorsFilter} beans, the one of Spring Security, Spring MVC. Who rejects the origin ends the search.
 */
final class CrossOrigin {

    private static final FilterChain NOTHING = (request, response) -> {};

    private static final boolean SECURITY_PRESENT = ClassUtils.isPresent(
            "org.springframework.security.web.SecurityFilterChain", CrossOrigin.class.getClassLoader());

    private final ApplicationContext context;

    private final RequestHandlers handlers;

    private final OrderedBeans<CorsFilter> corsFilters;

    private final List<String> exposed;

    CrossOrigin(ApplicationContext context, RequestHandlers handlers, List<String> exposed) {
        this.context = context;
        this.handlers = handlers;
        this.corsFilters = new OrderedBeans<>(context.getBeanProvider(CorsFilter.class));
        this.exposed = exposed;
    }

    /**
     * Adds the CORS headers of the route to a refusal of the filter.
     *
     * @param request any request; others than CORS requests are left alone
     * @param response a response that is not committed
     */
    void apply(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        if (!isCrossOrigin(request)) {
            return;
        }
        if (!isAllowed(response)) {
            search(request, response);
        }
        expose(response, exposed);
    }

    /** {@return whether the request comes from a page of another origin; an origin that cannot be read is none} */
    static boolean isCrossOrigin(HttpServletRequest request) {
        try {
            return CorsUtils.isCorsRequest(request);
        } catch (IllegalArgumentException unreadable) {
            return false;
        }
    }

    /**
     * Lets scripts of another origin read the quota headers, if they may read the response at all.
     *
     * @param response a response that is not committed
     */
    static void expose(HttpServletResponse response, List<String> exposed) {
        if (!isAllowed(response)) {
            return;
        }
        String header = HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS;
        Set<String> names = new LinkedHashSet<>();
        for (String line : response.getHeaders(header)) {
            names.addAll(List.of(StringUtils.tokenizeToStringArray(line, ",")));
        }
        for (String name : exposed) {
            if (response.containsHeader(name) && names.stream().noneMatch(name::equalsIgnoreCase)) {
                names.add(name);
            }
        }
        if (!names.isEmpty()) {
            response.setHeader(header, String.join(", ", names));
        }
    }

    private static boolean isAllowed(HttpServletResponse response) {
        return response.containsHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN);
    }

    private void search(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        for (CorsFilter filter : filters(request)) {
            SilentResponse silent = new SilentResponse(response);
            filter.doFilter(request, silent, NOTHING);
            if (isAllowed(response) || silent.isRejected()) {
                return;
            }
        }
        CorsConfiguration configuration = ofMvc(request);
        if (configuration != null) {
            new SilentProcessor().processRequest(configuration, request, response);
        }
    }

    private List<CorsFilter> filters(HttpServletRequest request) {
        List<CorsFilter> filters = new ArrayList<>(corsFilters.get());
        if (SECURITY_PRESENT) {
            SecurityCors.filter(context, request).ifPresent(filters::add);
        }
        return filters;
    }

    private @Nullable CorsConfiguration ofMvc(HttpServletRequest request) {
        HandlerExecutionChain chain = handlers.find(request).orElse(null);
        if (chain == null) {
            return null;
        }
        for (Object interceptor : chain.getInterceptorList()) {
            if (interceptor instanceof CorsConfigurationSource source) {
                return source.getCorsConfiguration(request);
            }
        }
        return null;
    }

    /** A rejected origin gets no headers; the answer is the 429 all the same. */
    private static final class SilentProcessor extends DefaultCorsProcessor {

        @Override
        protected void rejectRequest(ServerHttpResponse response) {}
    }
}
