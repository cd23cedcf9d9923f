package io.ratelimit.web;

/** Writes the one canonical text of an IPv6 address (RFC 5952): lower case, the longest run of zeros as {@code ::}. */
final class Ipv6Writer {

    private static final int GROUPS = 8;

    private Ipv6Writer() {}

    static String write(IpAddress address) {
        int runStart = -1;
        int runLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            int length = zerosFrom(address, i);
            if (length > runLength) {
                runStart = i;
                runLength = length;
            }
        }
        StringBuilder text = new StringBuilder(39);
        for (int i = 0; i < GROUPS; i++) {
            if (i == runStart) {
                text.append("::");
                i += runLength - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Integer.toHexString(address.group(i)));
        }
        return text.toString();
    }

    private static int zerosFrom(IpAddress address, int start) {
        int i = start;
        while (i < GROUPS && address.group(i) == 0) {
            i++;
        }
        return i - start;
    }
}
