package io.ratelimit.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.Collections;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.web.servlet.HandlerExecutionChain;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.util.ServletRequestPathUtils;

/** Asks the application's handler mappings, from a filter, who would handle a request. */
final class RequestHandlers {

    private final OrderedBeans<HandlerMapping> mappings;

    RequestHandlers(ObjectProvider<HandlerMapping> mappings) {
        this.mappings = new OrderedBeans<>(mappings);
    }

    /** {@return handler and interceptors; empty if no mapping knows the request, or none that allows its method} */
    Optional<HandlerExecutionChain> find(HttpServletRequest request) {
        HttpServletRequest isolated = new IsolatedRequest(request);
        try {
            ServletRequestPathUtils.parseAndCache(isolated);
            for (HandlerMapping mapping : mappings.get()) {
                HandlerExecutionChain chain = mapping.getHandler(isolated);
                if (chain != null) {
                    return Optional.of(chain);
                }
            }
        } catch (Exception noHandler) {
            // A mapping says so for a wrong method or media type; the refusal is answered without a handler.
        }
        return Optional.empty();
    }

    /** Mappings leave attributes behind, which the real dispatch must not find. */
    private static final class IsolatedRequest extends HttpServletRequestWrapper {

        private final Map<String, @Nullable Object> own = new HashMap<>();

        IsolatedRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public @Nullable Object getAttribute(String name) {
            return own.containsKey(name) ? own.get(name) : super.getAttribute(name);
        }

        @Override
        public void setAttribute(String name, @Nullable Object value) {
            own.put(name, value);
        }

        @Override
        public void removeAttribute(String name) {
            own.put(name, null);
        }

        @Override
        public Enumeration<String> getAttributeNames() {
            Set<String> names = new LinkedHashSet<>(Collections.list(super.getAttributeNames()));
            names.addAll(own.keySet());
            names.removeIf(name -> getAttribute(name) == null);
            return Collections.enumeration(names);
        }
    }
}
