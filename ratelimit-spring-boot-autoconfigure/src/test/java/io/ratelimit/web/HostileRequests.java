package io.ratelimit.web;

import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;
import org.springframework.mock.web.MockHttpServletRequest;

/** Makes requests of a seed that a benevolent client would not send, and that a container may let through. */
final class HostileRequests {

    private static final String[] METHODS = {"GET", "POST", "HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "g e t", ""};

    private static final String[] PARTS = {
        "api",
        "API",
        "cost",
        "plan",
        "user",
        "..",
        ".",
        "",
        "%2e%2e",
        "%2F",
        "%00",
        "%",
        "%zz",
        "%c0%af",
        ";x=1",
        "api;",
        "a;b;c",
        "*",
        "{id}",
        "**",
        "\\",
        "%5c",
        "~",
        "é",
        "\uD800",
        "\uFFFF",
        "#",
        "?",
        "[",
        "]",
        "'",
        "\"",
        "%F0%9F%98%80"
    };

    private static final String[] PIECES = {
        "192.0.2.1",
        "10.0.0.1",
        "10.255.255.255",
        "::1",
        "::ffff:192.0.2.1",
        "[2001:db8::1]:443",
        "fe80::1%eth0",
        "_hidden",
        "unknown",
        ",",
        ",,,",
        ";",
        "for=",
        "For=\"",
        "\"",
        "\\",
        "\\\"",
        "[",
        "]",
        ":",
        "::",
        ":80",
        "%",
        "0x7f.1",
        "1.2.3",
        "256.1.1.1",
        "1.2.3.4.5",
        "9999999999",
        " ",
        "\t",
        "\r\nX-Evil: 1",
        "\u0000",
        "\u007f",
        "é",
        "\uD83D\uDE00",
        "\uDC00",
        "T(java.lang.Runtime)",
        "#{1/0}",
        "${x}",
        "-1",
        "0",
        "1",
        "7",
        "100",
        "9223372036854775808",
        "-9223372036854775809",
        "NaN",
        "1e9",
        "FREE",
        "PRO",
        "null",
        "true",
        "https://shop.example",
        "https://",
        "://",
        "a".repeat(300)
    };

    private static final String[] HEADERS = {
        "X-Forwarded-For",
        "Forwarded",
        "Origin",
        "X-Key",
        "X-Cost",
        "X-Plan",
        "Accept",
        "Accept-Language",
        "Range",
        "Access-Control-Request-Method",
        "X-HTTP-Method-Override",
        "Upgrade",
        "Content-Type",
        "Authorization"
    };

    private final Random random;

    HostileRequests(long seed) {
        this.random = new Random(seed);
    }

    MockHttpServletRequest next() {
        MockHttpServletRequest request = new MockHttpServletRequest(pick(METHODS), path());
        request.setRemoteAddr(random.nextInt(4) == 0 ? joined(2) : "10.0.%d.%d".formatted(byteValue(), byteValue()));
        if (random.nextInt(8) == 0) {
            request.setContextPath("/" + pick(PARTS));
        }
        if (random.nextInt(3) == 0) {
            String name = joined(2);
            request.setUserPrincipal(() -> random.nextInt(16) == 0 ? null : name);
        }
        for (int headers = random.nextInt(6); headers > 0; headers--) {
            addHeader(request);
        }
        return request;
    }

    private void addHeader(MockHttpServletRequest request) {
        String name = pick(HEADERS);
        String value = value();
        try {
            request.addHeader(name, value);
        } catch (RuntimeException unreadable) {
            // The mock reads some headers itself, such as Content-Type, and throws what a container would not.
            request.addHeader("X-" + name, value);
        }
    }

    private String value() {
        return switch (random.nextInt(40)) {
            case 0 -> bytes(random.nextInt(8_000));
            case 1, 2, 3, 4, 5 -> bytes(random.nextInt(40));
            case 6, 7, 8, 9, 10, 11 -> Long.toString(random.nextInt(20) - 4L);
            default -> joined(4);
        };
    }

    private String path() {
        StringBuilder path = new StringBuilder();
        for (int parts = 1 + random.nextInt(5); parts > 0; parts--) {
            path.append('/').append(random.nextInt(8) == 0 ? bytes(6) : pick(PARTS));
        }
        return random.nextInt(50) == 0 ? path.toString().toUpperCase(Locale.ROOT) + "/".repeat(500) : path.toString();
    }

    private String joined(int most) {
        StringBuilder text = new StringBuilder();
        for (int pieces = random.nextInt(most + 1); pieces > 0; pieces--) {
            text.append(pick(PIECES));
        }
        return text.toString();
    }

    /** Text in which every char may be anything, as if each byte were a char of ISO 8859-1; now and then more. */
    private String bytes(int length) {
        Supplier<Character> any = () -> (char) random.nextInt(random.nextInt(8) == 0 ? 0x10000 : 0x100);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(any.get());
        }
        return text.toString();
    }

    private int byteValue() {
        return random.nextInt(256);
    }

    private String pick(String[] choices) {
        return choices[random.nextInt(choices.length)];
    }
}
