package io.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script and the digest under which Redis knows it.
 *
 * @param text the source
 * @param digest its SHA-1 in lower case hexadecimal digits
 */
record Script(String text, String digest) {

    static Script of(String text) {
        try {
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8));
            return new Script(text, HexFormat.of().formatHex(sha1));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    byte[] textBytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
