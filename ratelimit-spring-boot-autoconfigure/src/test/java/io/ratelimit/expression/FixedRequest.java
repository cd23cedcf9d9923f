package io.ratelimit.expression;

import java.security.Principal;
import java.util.Map;

/** A request for tests. */
public record FixedRequest(String ip, String user, Map<String, String> headers) implements RequestRoot {

    public static FixedRequest from(String ip) {
        return new FixedRequest(ip, null, Map.of());
    }

    public FixedRequest as(String newUser) {
        return new FixedRequest(ip, newUser, headers);
    }

    public FixedRequest with(String header, String value) {
        return new FixedRequest(ip, user, Map.of(header, value));
    }

    @Override
    public String getIp() {
        return ip;
    }

    @Override
    public Principal getPrincipal() {
        return user == null ? null : () -> user;
    }

    @Override
    public Object getRequest() {
        return this;
    }

    @Override
    public String getPath() {
        return "/items";
    }

    @Override
    public String getMethod() {
        return "GET";
    }

    @Override
    public String header(String name) {
        return headers.get(name);
    }
}
