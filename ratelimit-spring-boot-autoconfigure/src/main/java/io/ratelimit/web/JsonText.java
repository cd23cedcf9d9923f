package io.ratelimit.web;

/** Builds one flat JSON object. The limiter must not require a JSON library, and needs no more than this. */
final class JsonText {

    private static final String HEX = "0123456789abcdef";

    private final StringBuilder text = new StringBuilder(256).append('{');

    JsonText string(String name, String value) {
        member(name);
        quote(value);
        return this;
    }

    JsonText number(String name, long value) {
        member(name);
        text.append(value);
        return this;
    }

    JsonText strings(String name, Iterable<String> values) {
        member(name);
        text.append('[');
        String separator = "";
        for (String value : values) {
            text.append(separator);
            quote(value);
            separator = ",";
        }
        text.append(']');
        return this;
    }

    /** {@return the object as text} */
    String end() {
        return text + "}";
    }

    /** {@return the same JSON with ASCII characters only} */
    static String ascii(String json) {
        StringBuilder ascii = new StringBuilder(json.length());
        for (int i = 0; i < json.length(); i++) {
            char c = json.charAt(i);
            if (c < 0x80) {
                ascii.append(c);
            } else {
                escape(ascii, c);
            }
        }
        return ascii.toString();
    }

    private void member(String name) {
        if (text.length() > 1) {
            text.append(',');
        }
        quote(name);
        text.append(':');
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else if (mustBeEscaped(c)) {
                escape(text, c);
            } else if (Character.isSurrogate(c) && !isPair(value, i)) {
                escape(text, c);
            } else if (Character.isHighSurrogate(c)) {
                text.append(c).append(value.charAt(++i));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    /** Control characters by the grammar; markup and line separators in case somebody embeds the text in a page. */
    private static boolean mustBeEscaped(char c) {
        return c < ' ' || c == '<' || c == '>' || c == '&' || c == 0x7f || c == 0x2028 || c == 0x2029;
    }

    private static boolean isPair(String value, int index) {
        return Character.isHighSurrogate(value.charAt(index))
                && index + 1 < value.length()
                && Character.isLowSurrogate(value.charAt(index + 1));
    }

    private static void escape(StringBuilder text, char c) {
        text.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            text.append(HEX.charAt(c >>> shift & 0xf));
        }
    }
}
