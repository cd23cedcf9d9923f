package io.ratelimit.web;

/** The pieces of a structured field (RFC 9651) that the quota headers need: strings and integers. */
final class StructuredField {

    /** The largest integer: 15 decimal digits. */
    static final long MAX_INTEGER = 999_999_999_999_999L;

    private StructuredField() {}

    /**
     * Checks whether a text can be written as a string: printable ASCII only.
     *
     * @param text any text
     * @return whether it can
     */
    static boolean isString(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }

    /**
     * Writes a string in quotes.
     *
     * @throws IllegalArgumentException if the text holds anything but printable ASCII
     */
    static String string(String text) {
        if (!isString(text)) {
            throw new IllegalArgumentException("name '%s' cannot stand in a header; use printable ASCII characters only"
                    .formatted(printable(text)));
        }
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    static long integer(long value) {
        return Math.max(-MAX_INTEGER, Math.min(MAX_INTEGER, value));
    }

    private static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.chars().forEach(c -> {
            if (Character.isISOControl(c)) {
                shown.append("\\u%04x".formatted(c));
            } else {
                shown.append((char) c);
            }
        });
        return shown.toString();
    }
}
