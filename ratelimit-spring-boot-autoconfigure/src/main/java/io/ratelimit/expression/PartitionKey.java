package io.ratelimit.expression;

/**
 * The text that says whose requests are counted together.
 *
 * <p>It is at most {@value #MAX_LENGTH} printable ASCII characters without quotes, backslashes, braces and spaces, so it
 * may stand in stores, logs and the endpoint; anything else, and whatever may be a credential, appears as
 * {@code sha256:} and the first 128 bits of its SHA-256 in hexadecimal. A principal's name that was the default key is
 * written {@code user:alice}, an address {@code ip:203.0.113.7}, several parts {@code [a,b]}.
 *
 * @param text the key as it is stored
 * @param hashed whether the text is a hash of the real key
 */
public record PartitionKey(String text, boolean hashed) {

    /** The longest key that is stored as it is. */
    public static final int MAX_LENGTH = 128;

    /** The key of limits by the default key on threads that handle no request: one bucket for each limit. */
    public static final PartitionKey NO_REQUEST = new PartitionKey("none:", false);

    /**
     * Returns the fallback key of a client whose own key is missing.
     *
     * @param ip the client's address
     * @return the key of this address
     */
    public static PartitionKey ofAddress(String ip) {
        return KeyText.ADDRESS.key(ip, false);
    }

    /**
     * Returns the key as it may be shown to people who need not know whose it is.
     *
     * @return the text itself if it is a hash already, else a hash of it; equal for equal keys
     */
    public String hidden() {
        return hashed ? text : KeyText.HASH + KeyHash.of("SHOWN", text);
    }
}
