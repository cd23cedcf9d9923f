package io.ratelimit.web;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A strict parser of lists of items as in RFC 9651, section 4.2, written from the RFC and independent of the writer: it
 * knows strings and integers as items and as parameters, and fails on anything else.
 */
final class StructuredFieldParser {

    /** An item and its parameters; values are {@link String} or {@link Long}. */
    record Item(Object value, Map<String, Object> parameters) {}

    private final String input;

    private int position;

    private StructuredFieldParser(String input) {
        this.input = input;
    }

    static List<Item> parseList(String input) {
        return new StructuredFieldParser(input).list();
    }

    private List<Item> list() {
        List<Item> members = new ArrayList<>();
        skip(" ");
        while (!atEnd()) {
            members.add(new Item(bareItem(), parameters()));
            skip(" \t");
            if (atEnd()) {
                break;
            }
            expect(',');
            skip(" \t");
            if (atEnd()) {
                throw failure("a trailing comma");
            }
        }
        return members;
    }

    private Map<String, Object> parameters() {
        Map<String, Object> parameters = new LinkedHashMap<>();
        while (!atEnd() && peek() == ';') {
            position++;
            skip(" ");
            String key = key();
            expect('=');
            if (parameters.put(key, bareItem()) != null) {
                throw failure("a repeated parameter " + key);
            }
        }
        return parameters;
    }

    private String key() {
        int start = position;
        if (atEnd() || !(peek() == '*' || peek() >= 'a' && peek() <= 'z')) {
            throw failure("no key");
        }
        while (!atEnd() && "abcdefghijklmnopqrstuvwxyz0123456789_-.*".indexOf(peek()) >= 0) {
            position++;
        }
        return input.substring(start, position);
    }

    private Object bareItem() {
        if (atEnd()) {
            throw failure("no item");
        }
        return peek() == '"' ? string() : integer();
    }

    private String string() {
        expect('"');
        StringBuilder text = new StringBuilder();
        while (true) {
            char c = next();
            if (c == '"') {
                return text.toString();
            }
            if (c == '\\') {
                c = next();
                if (c != '"' && c != '\\') {
                    throw failure("a wrong escape");
                }
            } else if (c < 0x20 || c > 0x7e) {
                throw failure("a character outside of printable ASCII");
            }
            text.append(c);
        }
    }

    private Long integer() {
        int start = position;
        if (peek() == '-') {
            position++;
        }
        int digits = position;
        while (!atEnd() && peek() >= '0' && peek() <= '9') {
            position++;
        }
        if (position == digits || position - digits > 15) {
            throw failure("no integer of 1 to 15 digits");
        }
        return Long.valueOf(input.substring(start, position));
    }

    private void skip(String characters) {
        while (!atEnd() && characters.indexOf(peek()) >= 0) {
            position++;
        }
    }

    private void expect(char c) {
        if (next() != c) {
            throw failure("something else than " + c);
        }
    }

    private char next() {
        if (atEnd()) {
            throw failure("the end");
        }
        return input.charAt(position++);
    }

    private char peek() {
        return input.charAt(position);
    }

    private boolean atEnd() {
        return position == input.length();
    }

    private AssertionError failure(String found) {
        return new AssertionError("found %s at %d of: %s".formatted(found, position, input));
    }
}
