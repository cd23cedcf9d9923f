package io.ratelimit.web;

import io.ratelimit.expression.RequestRoot;
import jakarta.servlet.http.HttpServletRequest;
import java.security.Principal;
import org.jspecify.annotations.Nullable;

/** A servlet request as expressions see it. Spelling and {@code HEAD} make no difference to {@code path} and {@code method}. */
final class ServletRequestRoot implements RequestRoot {

    private final HttpServletRequest request;

    private final ClientAddress clientAddress;

    private @Nullable String ip;

    ServletRequestRoot(HttpServletRequest request, ClientAddress clientAddress) {
        this.request = request;
        this.clientAddress = clientAddress;
    }

    @Override
    public @Nullable String getIp() {
        if (ip == null) {
            ip = clientAddress.resolve(request).orElse(null);
        }
        return ip;
    }

    @Override
    public @Nullable Principal getPrincipal() {
        return request.getUserPrincipal();
    }

    @Override
    public Object getRequest() {
        return request;
    }

    @Override
    public String getPath() {
        return RequestPaths.of(request).canonical();
    }

    @Override
    public String getMethod() {
        return "HEAD".equals(request.getMethod()) ? "GET" : request.getMethod();
    }

    @Override
    public @Nullable String header(String name) {
        return request.getHeader(name);
    }
}
