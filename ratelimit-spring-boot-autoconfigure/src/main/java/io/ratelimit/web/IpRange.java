package io.ratelimit.web;

/**
 * The addresses that begin with the same bits, as in {@code 10.0.0.0/8} (CIDR, RFC 4632).
 *
 * @param network the first address
 * @param bits how many leading bits of the 128 count; an IPv4 range counts the 96 bits of its mapped form too
 */
record IpRange(IpAddress network, int bits) {

    /**
     * Reads a range.
     *
     * @param text an address, alone or followed by {@code /} and a number of bits
     * @return the range
     * @throws IllegalArgumentException if the text is no range, with a message that names it and the remedy
     */
    static IpRange parse(String text) {
        int slash = text.indexOf('/');
        String addressText = slash < 0 ? text : text.substring(0, slash);
        IpAddress address = IpAddress.parse(addressText.trim()).orElseThrow(() -> unreadable(text));
        boolean dotted = addressText.indexOf(':') < 0;
        int longest = dotted ? IpAddress.BITS - IpAddress.MAPPED_BITS : IpAddress.BITS;
        int given = slash < 0 ? longest : bits(text, slash + 1);
        if (given > longest) {
            throw unreadable(text);
        }
        int bits = dotted ? IpAddress.MAPPED_BITS + given : given;
        return new IpRange(address.prefix(bits), bits);
    }

    boolean contains(IpAddress address) {
        return address.prefix(bits).equals(network);
    }

    private static int bits(String text, int from) {
        String number = text.substring(from).trim();
        if (number.isEmpty() || number.length() > 3 || !number.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw unreadable(text);
        }
        return Integer.parseInt(number);
    }

    private static IllegalArgumentException unreadable(String text) {
        return new IllegalArgumentException(
                "'%s' is no range of addresses; use CIDR notation such as 10.0.0.0/8 or 2001:db8::/32".formatted(text));
    }
}
