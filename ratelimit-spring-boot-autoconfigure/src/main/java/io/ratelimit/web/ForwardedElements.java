package io.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The grammar of {@code Forwarded} (RFC 7239, section 4): elements, pairs, tokens and quoted strings. */
final class ForwardedElements {

    private ForwardedElements() {}

    /** Splits at a separator, but not inside of quoted strings. A quote left open reaches to the end. */
    static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        boolean quoted = false;
        int start = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == separator && !quoted) {
                parts.add(text.substring(start, i));
                start = i + 1;
            }
        }
        parts.add(text.substring(start));
        return parts;
    }

    /** Finds a parameter of an element, whatever the case of its name, without the quotes of its value. */
    static Optional<String> parameter(String element, String name) {
        for (String pair : split(element, ';')) {
            int equals = pair.indexOf('=');
            if (equals > 0 && pair.substring(0, equals).trim().equalsIgnoreCase(name)) {
                return Optional.of(unquoted(pair.substring(equals + 1).trim()));
            }
        }
        return Optional.empty();
    }

    private static String unquoted(String value) {
        if (value.length() < 2 || value.charAt(0) != '"' || !value.endsWith("\"")) {
            return value;
        }
        StringBuilder text = new StringBuilder(value.length());
        for (int i = 1; i < value.length() - 1; i++) {
            if (value.charAt(i) == '\\') {
                i++;
            }
            text.append(value.charAt(i));
        }
        return text.toString();
    }
}
