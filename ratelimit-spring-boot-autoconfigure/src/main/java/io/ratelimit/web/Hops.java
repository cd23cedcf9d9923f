package io.ratelimit.web;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads whom each proxy saw, nearest first, from the lines of {@code X-Forwarded-For} or {@code Forwarded} (RFC 7239).
 * What is no address (a host name, {@code unknown}, an obfuscated {@code _name}) is there as {@code null}.
 */
final class Hops {

    /** No chain of proxies is longer; what a client writes to the left of that is not read. */
    static final int MAX = 64;

    private Hops() {}

    /**
     * Reads the lines of {@code X-Forwarded-For}.
     *
     * @param lines the lines in the order in which they arrived
     * @return the addresses from right to left, at most {@link #MAX}
     */
    static List<@Nullable IpAddress> ofXForwardedFor(List<String> lines) {
        List<@Nullable IpAddress> hops = new ArrayList<>();
        for (int line = lines.size() - 1; line >= 0; line--) {
            String text = lines.get(line);
            int end = text.length();
            while (end >= 0 && hops.size() < MAX) {
                int comma = text.lastIndexOf(',', end - 1);
                String element = text.substring(comma + 1, end).trim();
                if (!element.isEmpty()) {
                    hops.add(node(element));
                }
                end = comma;
            }
        }
        return hops;
    }

    /**
     * Reads the {@code for} parameters of the lines of {@code Forwarded}.
     *
     * @param lines the lines in the order in which they arrived
     * @return the addresses from right to left, at most {@link #MAX}; an element without {@code for} is {@code null}
     */
    static List<@Nullable IpAddress> ofForwarded(List<String> lines) {
        List<@Nullable IpAddress> hops = new ArrayList<>();
        for (int line = lines.size() - 1; line >= 0 && hops.size() < MAX; line--) {
            List<String> elements = ForwardedElements.split(lines.get(line), ',');
            Collections.reverse(elements);
            for (String element : elements) {
                if (!element.isBlank() && hops.size() < MAX) {
                    hops.add(ForwardedElements.parameter(element, "for")
                            .map(Hops::node)
                            .orElse(null));
                }
            }
        }
        return hops;
    }

    /** Reads {@code 192.0.2.1}, {@code 192.0.2.1:4711}, {@code 2001:db8::1} and {@code [2001:db8::1]:4711}. */
    static @Nullable IpAddress node(String text) {
        if (text.startsWith("[")) {
            int close = text.indexOf(']');
            boolean wellFormed = close > 0 && text.indexOf(':') > 0 && isPort(text, close + 1);
            return wellFormed ? IpAddress.parseOrNull(text.substring(1, close)) : null;
        }
        int colon = text.indexOf(':');
        if (colon >= 0 && text.lastIndexOf(':') == colon) {
            return isPort(text, colon) ? IpAddress.parseOrNull(text.substring(0, colon)) : null;
        }
        return IpAddress.parseOrNull(text);
    }

    /** A port is digits, or an obfuscated name such as {@code _http}. */
    private static boolean isPort(String text, int from) {
        if (from == text.length()) {
            return true;
        }
        return text.charAt(from) == ':' && from + 1 < text.length();
    }
}
