package io.ratelimit.web;

import org.jspecify.annotations.Nullable;

/** Reads the textual forms of RFC 4291, section 2.2: eight groups, one run of zeros as {@code ::}, an IPv4 tail. */
final class Ipv6Reader {

    private static final int GROUPS = 8;

    private final String text;

    private final int end;

    private final int[] groups = new int[GROUPS];

    private int count;

    /** How many groups stand before the {@code ::}, or -1 if there is none. */
    private int gap = -1;

    private Ipv6Reader(String text, int end) {
        this.text = text;
        this.end = end;
    }

    static @Nullable IpAddress read(String text, int end) {
        Ipv6Reader reader = new Ipv6Reader(text, end);
        return reader.readGroups() ? reader.address() : null;
    }

    private boolean readGroups() {
        int position = 0;
        if (text.startsWith("::")) {
            gap = 0;
            position = 2;
        }
        while (position < end) {
            int next = readGroup(position);
            if (next < 0) {
                return false;
            }
            if (next == end) {
                return complete();
            }
            position = readSeparator(next);
            if (position < 0) {
                return false;
            }
        }
        boolean endsInGap = gap == count;
        return endsInGap && complete();
    }

    /** {@return the position behind one or two colons, or -1 if there is none or a second gap} */
    private int readSeparator(int from) {
        if (text.charAt(from) != ':') {
            return -1;
        }
        int next = from + 1;
        if (next == end || text.charAt(next) != ':') {
            return next;
        }
        if (gap >= 0) {
            return -1;
        }
        gap = count;
        return next + 1;
    }

    private boolean complete() {
        return gap >= 0 ? count < GROUPS : count == GROUPS;
    }

    /** {@return the position behind the group or the IPv4 tail, or -1 if there is neither} */
    private int readGroup(int from) {
        int position = from;
        int value = 0;
        while (position < end && position - from < 4) {
            int digit = hex(text.charAt(position));
            if (digit < 0) {
                break;
            }
            value = value << 4 | digit;
            position++;
        }
        if (position < end && text.charAt(position) == '.') {
            return readIpv4Tail(from);
        }
        return position == from || !add(value) ? -1 : position;
    }

    private int readIpv4Tail(int from) {
        long bits = IpAddress.ipv4(text, from, end);
        return bits >= 0 && add((int) (bits >>> 16)) && add((int) bits & 0xffff) ? end : -1;
    }

    private boolean add(int group) {
        if (count == GROUPS) {
            return false;
        }
        groups[count++] = group;
        return true;
    }

    private IpAddress address() {
        int zeros = GROUPS - count;
        long[] halves = new long[2];
        for (int i = 0; i < count; i++) {
            int place = gap >= 0 && i >= gap ? i + zeros : i;
            halves[place / 4] |= (long) groups[i] << (48 - 16 * (place % 4));
        }
        return new IpAddress(halves[0], halves[1]);
    }

    private static int hex(char c) {
        return c < 128 ? Character.digit(c, 16) : -1;
    }
}
