package io.ratelimit.redis;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A Lua script and the digest under which Redis knows it, as both are sent.
 *
 * @param text the source
 * @param digest its SHA-1 in lower case hexadecimal digits
 */
record Script(byte[] text, byte[] digest) {

    static Script of(String text) {
        try {
            byte[] source = text.getBytes(StandardCharsets.UTF_8);
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(source);
            return new Script(source, HexFormat.of().formatHex(sha1).getBytes(StandardCharsets.US_ASCII));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
