package io.ratelimit.enforcement;

/** The rule for names that stand in headers: structured field strings (RFC 9651) hold printable ASCII only. */
final class WireNames {

    private WireNames() {}

    static void require(String subject, String attribute, String name) {
        if (!name.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new RateLimitConfigurationException(
                    subject,
                    "%s '%s' cannot stand in a header".formatted(attribute, name),
                    "use letters, digits and signs of ASCII");
        }
    }
}
