package io.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/**
 * Names for what is stored in Redis: {@code prefix{policy:key}}, and for a sliding log the same with its position and
 * window behind the brace.
 *
 * <p>What stands in the braces decides the hash slot, so all keys of a bucket share one. Policy and key are written so that
 * neither can contain a brace, a colon, a space or a control character: whatever is not plain becomes {@code %xx} (a UTF-8
 * byte) or {@code %uxxxx} (half a surrogate pair). Text longer than {@value #MAX_LENGTH} characters after that is replaced
 * by {@code #} and its SHA-256. So different pairs never meet, and no key is longer than the prefix and some 300 bytes.
 */
final class BucketKeys {

    static final int MAX_LENGTH = 128;

    private static final String PLAIN_MARKS = "-_.~!$&'()*+,;=@/?|^[]<>";

    private static final boolean[] PLAIN = new boolean[128];

    static {
        for (char c = '0'; c <= 'z'; c++) {
            PLAIN[c] = c <= '9' || c >= 'a' || c >= 'A' && c <= 'Z';
        }
        PLAIN_MARKS.chars().forEach(c -> PLAIN[c] = true);
    }

    private final String prefix;

    BucketKeys(String prefix) {
        this.prefix = prefix;
    }

    /** Returns the name of a bucket. */
    String bucket(String policy, String key) {
        return prefix + '{' + encode(policy) + ':' + encode(key) + '}';
    }

    /** Returns the keys that a script is told: the bucket's value, if it has one, and its logs. */
    static byte[][] all(String bucket, BucketLayout layout) {
        byte[][] keys =
                new byte[(layout.hasValue() ? 1 : 0) + layout.logSuffixes().size()][];
        int next = 0;
        if (layout.hasValue()) {
            keys[next++] = bytes(bucket);
        }
        for (String suffix : layout.logSuffixes()) {
            keys[next++] = bytes(bucket + suffix);
        }
        return keys;
    }

    /** Returns all keys that a bucket may have; the last is where the time of its latest reset stands. */
    static byte[][] withReset(String bucket, BucketLayout layout) {
        byte[][] all = all(bucket, layout);
        byte[][] keys = Arrays.copyOf(all, all.length + 2);
        keys[all.length] = bytes(bucket);
        keys[all.length + 1] = bytes(bucket + ":reset");
        return keys;
    }

    /** Returns a pattern that matches every key of this prefix. */
    byte[] pattern() {
        return bytes(prefix.replaceAll("([\\\\*?\\[\\]^-])", "\\\\$1") + '*');
    }

    byte[] probe() {
        return bytes(prefix + "probe");
    }

    static String encode(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= PLAIN.length || !PLAIN[c]) {
                return shorten(text, escape(text));
            }
        }
        return shorten(text, text);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String shorten(String text, String encoded) {
        return encoded.length() <= MAX_LENGTH ? encoded : '#' + sha256(text);
    }

    private static String escape(String text) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < text.length() && out.length() <= MAX_LENGTH; ) {
            int c = text.codePointAt(i);
            if (c < PLAIN.length && PLAIN[c]) {
                out.append((char) c);
            } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
                out.append("%%u%04x".formatted(c));
            } else {
                for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
                    out.append("%%%02x".formatted(b));
                }
            }
            i += Character.charCount(c);
        }
        return out.toString();
    }

    private static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_16BE));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
