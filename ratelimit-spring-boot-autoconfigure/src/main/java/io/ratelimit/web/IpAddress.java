package io.ratelimit.web;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An address as 128 bits; an IPv4 address is held as its IPv4-mapped form, so that {@code ::ffff:192.0.2.1} and
 * {@code 192.0.2.1} are equal. Text is read bit by bit and never looked up in DNS.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
record IpAddress(long high, long low) {

    /** Number of bits of every address, IPv4 included. */
    static final int BITS = 128;

    /** Where an IPv4 address begins in its mapped form. */
    static final int MAPPED_BITS = 96;

    /** The longest text: eight groups, an embedded IPv4 address at most; zone ids are cut off before. */
    private static final int MAX_LENGTH = 45;

    private static final long MAPPED_PREFIX = 0xffffL;

    /**
     * Reads an address without port and brackets; a zone id is ignored.
     *
     * @param text the text, for example {@code 192.0.2.1} or {@code fe80::1%eth0}
     * @return the address, or empty if the text is none
     */
    static Optional<IpAddress> parse(@Nullable String text) {
        return Optional.ofNullable(parseOrNull(text));
    }

    static @Nullable IpAddress parseOrNull(@Nullable String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        if (text.indexOf(':') < 0) {
            long bits = ipv4(text, 0, text.length());
            return bits < 0 ? null : ofIpv4(bits);
        }
        int zone = text.indexOf('%');
        int end = zone < 0 ? text.length() : zone;
        return end > MAX_LENGTH ? null : Ipv6Reader.read(text, end);
    }

    /**
     * Reads a dotted IPv4 address: four decimal numbers without leading zeros, which some would take for octal.
     *
     * @return the 32 bits, or -1 if the text is none
     */
    static long ipv4(String text, int from, int to) {
        long bits = 0;
        int position = from;
        for (int octet = 0; octet < 4; octet++) {
            int start = position;
            int value = 0;
            while (position < to && position - start < 3 && isDigit(text.charAt(position))) {
                value = value * 10 + text.charAt(position++) - '0';
            }
            boolean leadingZero = position - start > 1 && text.charAt(start) == '0';
            if (position == start || leadingZero || value > 255) {
                return -1;
            }
            bits = bits << 8 | value;
            if (octet < 3 && (position >= to || text.charAt(position++) != '.')) {
                return -1;
            }
        }
        return position == to ? bits : -1;
    }

    static IpAddress ofIpv4(long bits) {
        return new IpAddress(0, MAPPED_PREFIX << 32 | bits);
    }

    boolean isIpv4() {
        return high == 0 && low >>> 32 == MAPPED_PREFIX;
    }

    /** {@return this address with all but its first bits cleared} */
    IpAddress prefix(int bits) {
        return new IpAddress(high & mask(bits), low & mask(bits - Long.SIZE));
    }

    private static long mask(int bits) {
        if (bits <= 0) {
            return 0;
        }
        return bits >= Long.SIZE ? -1L : -1L << (Long.SIZE - bits);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /** The canonical text: dotted for IPv4, else as in RFC 5952. */
    @Override
    public String toString() {
        return isIpv4() ? dotted() : Ipv6Writer.write(this);
    }

    /** {@return the 16 bits at a position from 0 to 7} */
    int group(int index) {
        long half = index < 4 ? high : low;
        return (int) (half >>> (48 - 16 * (index & 3))) & 0xffff;
    }

    private String dotted() {
        return new StringBuilder(15)
                .append(low >>> 24 & 0xff)
                .append('.')
                .append(low >>> 16 & 0xff)
                .append('.')
                .append(low >>> 8 & 0xff)
                .append('.')
                .append(low & 0xff)
                .toString();
    }
}
