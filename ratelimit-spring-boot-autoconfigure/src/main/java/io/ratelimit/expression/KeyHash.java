package io.ratelimit.expression;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** SHA-256 of a key, cut to 128 bits: enough that no two keys of an application meet, short enough to store. */
final class KeyHash {

    private static final int BYTES = 16;

    private static final int CHUNK = 512;

    private static final MessageDigest PROTOTYPE = prototype();

    private KeyHash() {}

    /**
     * Hashes a text as the UTF-16 code units it consists of, so that malformed text stays distinct.
     *
     * @param kind what kind of key it is, hashed along
     * @param text the text
     * @return 32 hexadecimal digits
     */
    static String of(String kind, String text) {
        MessageDigest digest = newDigest();
        update(digest, kind);
        digest.update((byte) 0);
        update(digest, text);
        return HexFormat.of().formatHex(Arrays.copyOf(digest.digest(), BYTES));
    }

    private static void update(MessageDigest digest, String text) {
        byte[] chunk = new byte[2 * Math.min(CHUNK, text.length())];
        for (int from = 0; from < text.length(); from += CHUNK) {
            int length = Math.min(CHUNK, text.length() - from);
            for (int i = 0; i < length; i++) {
                char c = text.charAt(from + i);
                chunk[2 * i] = (byte) (c >> 8);
                chunk[2 * i + 1] = (byte) c;
            }
            digest.update(chunk, 0, 2 * length);
        }
    }

    /** Cloning avoids the provider lookup, which locks. */
    private static MessageDigest newDigest() {
        try {
            return (MessageDigest) PROTOTYPE.clone();
        } catch (CloneNotSupportedException e) {
            return prototype();
        }
    }

    private static MessageDigest prototype() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
