package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpRangeTests {

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.1.2.3/8, 10.9.9.9, true",
        "10.0.0.0/8, ::ffff:10.1.1.1, true",
        "::ffff:10.0.0.0/104, 10.1.1.1, true",
        "0.0.0.0/0, 192.0.2.1, true",
        "0.0.0.0/0, 2001:db8::1, false",
        "::/0, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.1, true",
        "192.0.2.1, 192.0.2.2, false",
        "192.0.2.0/31, 192.0.2.1, true",
        "192.0.2.0/31, 192.0.2.2, false",
        "2001:db8::/32, 2001:db8:ffff::1, true",
        "2001:db8::/32, 2001:db9::1, false",
        "2001:db8::/65, 2001:db8::7fff:0:0:1, true",
        "2001:db8::/65, 2001:db8::8000:0:0:1, false",
    })
    void rangesContainTheirAddresses(String range, String address, boolean contained) {
        assertThat(IpRange.parse(range).contains(IpAddress.parse(address).orElseThrow()))
                .isEqualTo(contained);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/",
                "10.0.0.0/8/9",
                "proxy.example",
                "::/129",
                "10.0.0/8"
            })
    void unreadableRangesNameTheTextAndTheRemedy(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IpRange.parse(text))
                .withMessage("'" + text
                        + "' is no range of addresses; use CIDR notation such as 10.0.0.0/8 or 2001:db8::/32");
    }
}
