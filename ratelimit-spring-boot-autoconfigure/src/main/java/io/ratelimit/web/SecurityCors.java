package io.ratelimit.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.context.ApplicationContext;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.CorsFilter;

/** Finds what {@code http.cors()} configured for a request. Loaded only with Spring Security on the class path. */
final class SecurityCors {

    private SecurityCors() {}

    static Optional<CorsFilter> filter(ApplicationContext context, HttpServletRequest request) {
        return context.getBeanProvider(SecurityFilterChain.class)
                .orderedStream()
                .filter(chain -> chain.matches(request))
                .findFirst()
                .flatMap(chain -> chain.getFilters().stream()
                        .filter(CorsFilter.class::isInstance)
                        .map(CorsFilter.class::cast)
                        .findFirst());
    }
}
