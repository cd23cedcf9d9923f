package io.ratelimit.expression;

import java.security.Principal;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP request as expressions see it: {@code ip}, {@code principal}, {@code request}, {@code path}, {@code method}
 * and {@code header('X-API-Key')}.
 */
public interface RequestRoot {

    /** {@return the client's address, canonical; {@code null} if it cannot be told} */
    @Nullable
    String getIp();

    /** {@return who is authenticated; {@code null} for nobody, also before authentication} */
    @Nullable
    Principal getPrincipal();

    /** {@return the request of the web framework, such as {@code HttpServletRequest}} */
    Object getRequest();

    /** {@return the path within the application} */
    String getPath();

    /** {@return the HTTP method in upper case} */
    String getMethod();

    /**
     * Returns the first value of a request header.
     *
     * @param name the header's name in any case
     * @return its value; {@code null} if the request has no such header
     */
    @Nullable
    String header(String name);
}
