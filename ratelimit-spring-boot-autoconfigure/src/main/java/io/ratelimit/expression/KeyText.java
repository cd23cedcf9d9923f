package io.ratelimit.expression;

import java.util.List;

/**
 * Turns the text of a key into a {@link PartitionKey}. Each kind of key has its own prefix, and a text that merely looks
 * like another kind is hashed, so that no two different keys are ever the same text.
 */
enum KeyText {

    /** What an explicit expression gave. */
    PLAIN(""),
    /** A principal's name. */
    USER("user:"),
    /** A client address. */
    ADDRESS("ip:"),
    /** Anything else that a default key gave. */
    OTHER("key:"),
    /** Several parts, already joined. */
    COMPOSITE("");

    static final String HASH = "sha256:";

    private static final List<String> RESERVED = List.of("user:", "ip:", "key:", "none:", HASH, "[");

    private final String prefix;

    KeyText(String prefix) {
        this.prefix = prefix;
    }

    PartitionKey key(String text, boolean secret) {
        if (secret
                || text.length() > PartitionKey.MAX_LENGTH - HASH.length()
                || !isUsual(text)
                || looksLikeAnother(text)) {
            return new PartitionKey(HASH + KeyHash.of(name(), text), true);
        }
        return new PartitionKey(prefix.isEmpty() ? text : prefix.concat(text), false);
    }

    private boolean looksLikeAnother(String text) {
        if (this != PLAIN) {
            return false;
        }
        for (String reserved : RESERVED) {
            if (text.startsWith(reserved)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUsual(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c <= ' ' || c > '~' || c == '"' || c == '\\' || c == '{' || c == '}') {
                return false;
            }
        }
        return true;
    }
}
