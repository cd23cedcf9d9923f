package io.ratelimit.expression;

import java.security.Principal;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The root object of every expression: the request, if there is one, and afterwards how it ended. */
final class ExpressionRoot {

    static final Set<String> REQUEST_PROPERTIES = Set.of("ip", "principal", "request", "path", "method");

    static final Set<String> OUTCOME_PROPERTIES = Set.of("result", "error", "status");

    static final Set<String> METHODS = Set.of("header", "getIp", "getPrincipal", "getRequest", "getPath", "getMethod");

    private final @Nullable RequestRoot request;

    private final @Nullable Outcome outcome;

    ExpressionRoot(@Nullable RequestRoot request, @Nullable Outcome outcome) {
        this.request = request;
        this.outcome = outcome;
    }

    public @Nullable String getIp() {
        return request == null ? null : request.getIp();
    }

    public @Nullable Principal getPrincipal() {
        return request == null ? null : request.getPrincipal();
    }

    public @Nullable Object getRequest() {
        return request == null ? null : request.getRequest();
    }

    public @Nullable String getPath() {
        return request == null ? null : request.getPath();
    }

    public @Nullable String getMethod() {
        return request == null ? null : request.getMethod();
    }

    public @Nullable String header(String name) {
        return request == null ? null : request.header(name);
    }

    @Nullable
    Object property(String name) {
        return switch (name) {
            case "ip" -> getIp();
            case "principal" -> getPrincipal();
            case "request" -> getRequest();
            case "path" -> getPath();
            case "method" -> getMethod();
            case "result" -> outcome == null ? null : outcome.result();
            case "error" -> outcome == null ? null : outcome.error();
            case "status" -> outcome == null ? null : outcome.status();
            default -> null;
        };
    }

    static boolean isProperty(String name) {
        return REQUEST_PROPERTIES.contains(name) || OUTCOME_PROPERTIES.contains(name);
    }

    /** Reads the properties. */
    static final class Accessor extends ReadOnlyAccessor<ExpressionRoot> {

        Accessor() {
            super(ExpressionRoot.class);
        }

        @Override
        boolean has(ExpressionRoot target, String name) {
            return isProperty(name);
        }

        @Override
        @Nullable
        Object get(ExpressionRoot target, String name) {
            return target.property(name);
        }
    }
}
