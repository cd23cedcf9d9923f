package io.ratelimit.web;

import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;
import org.springframework.http.server.PathContainer;
import org.springframework.http.server.RequestPath;
import org.springframework.web.util.ServletRequestPathUtils;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The ways in which what stands behind the filter may read the path of a request. A rule applies if one of them matches,
 * so that no spelling walks around it; it is excluded only if all spellings of one of them are.
 */
final class RequestPaths {

    /** Separates at slashes and takes the rest as it is: the path is decoded already. */
    private static final PathContainer.Options DECODED = PathContainer.Options.create('/', false);

    /** As Spring MVC matches: without context path and without the prefix of the servlet's mapping. */
    private final PathContainer mvc;

    /** With the prefix of the servlet's mapping, if there is one. */
    private final @Nullable PathContainer servlet;

    private final String canonical;

    /** {@code null} if the request is spelled canonically. */
    private final @Nullable PathContainer normalized;

    private RequestPaths(PathContainer mvc, @Nullable PathContainer servlet) {
        this.mvc = mvc;
        this.servlet = servlet;
        this.canonical = CanonicalPath.of(mvc);
        this.normalized = canonical.equals(mvc.value()) ? null : PathContainer.parsePath(canonical, DECODED);
    }

    static RequestPaths of(HttpServletRequest request) {
        RequestPath path = parse(request);
        PathContainer mvc = path.pathWithinApplication();
        int contextLength = path.contextPath().value().length();
        boolean prefixed = contextLength + mvc.value().length() < path.value().length();
        if (!prefixed) {
            return new RequestPaths(mvc, null);
        }
        return new RequestPaths(mvc, PathContainer.parsePath(path.value().substring(contextLength)));
    }

    private static RequestPath parse(HttpServletRequest request) {
        try {
            return ServletRequestPathUtils.parse(request);
        } catch (IllegalArgumentException | IllegalStateException unreadable) {
            // Neither can Spring MVC read it; another servlet may.
            return parseLeniently(request);
        }
    }

    private static RequestPath parseLeniently(HttpServletRequest request) {
        String uri = request.getRequestURI();
        String path =
                uri.substring(Math.min(uri.length(), request.getContextPath().length()));
        try {
            return RequestPath.parse(path, null);
        } catch (IllegalArgumentException badEncoding) {
            return RequestPath.parse(path.replace("%", "%25"), null);
        }
    }

    boolean matches(PathPattern pattern) {
        return matchesAsSpelled(pattern) || normalized != null && pattern.matches(normalized);
    }

    boolean matchesInEverySpelling(PathPattern pattern) {
        return matchesAsSpelled(pattern) && (normalized == null || pattern.matches(normalized));
    }

    private boolean matchesAsSpelled(PathPattern pattern) {
        return pattern.matches(mvc) || servlet != null && pattern.matches(servlet);
    }

    /** {@return the canonical path within the application, so that keys made of it cannot be varied by spelling} */
    String canonical() {
        return canonical;
    }
}
