package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTests {

    @ParameterizedTest
    @CsvSource({
        "192.0.2.1, 192.0.2.1",
        "0.0.0.0, 0.0.0.0",
        "255.255.255.255, 255.255.255.255",
        "::ffff:192.0.2.1, 192.0.2.1",
        "::FFFF:c000:201, 192.0.2.1",
        "0:0:0:0:0:ffff:192.0.2.1, 192.0.2.1",
        "::, ::",
        "::1, ::1",
        "1::, 1::",
        "2001:DB8::1, 2001:db8::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:0db8:0000:0001:0000:0000:0000:0001, 2001:db8:0:1::1",
        "1:2:3:4:5:6:7:8, 1:2:3:4:5:6:7:8",
        "1:2:3:4:5:6:7::, 1:2:3:4:5:6:7:0",
        "::2:3:4:5:6:7:8, 0:2:3:4:5:6:7:8",
        "fe80::1%eth0, fe80::1",
        "::192.0.2.1, ::c000:201",
    })
    void addressesHaveOneText(String text, String canonical) {
        assertThat(IpAddress.parse(text)).map(IpAddress::toString).contains(canonical);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "localhost",
                "unknown",
                "_hidden",
                "1",
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "1.2.3.-4",
                "01.2.3.4",
                "1.2.3.4 ",
                "0x7f.0.0.1",
                "1.2.3.1000",
                "1..2.3",
                "1.2.3.",
                ".1.2.3",
                ":",
                ":::",
                "1:",
                ":1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1:2:3:4:5:6:7:8:",
                "1::2::3",
                "12345::",
                "g::",
                "::1.2.3",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "1:2:3:4:5:6:7:1.2.3.4",
                "1:2:3:4:5:6:7:8::",
                "::1:",
                "%eth0",
                ":%",
                "[::1]",
                "１.2.3.4",
                "::１"
            })
    void textThatIsNoAddressIsRefused(String text) {
        assertThat(IpAddress.parse(text)).isEmpty();
    }

    @Test
    void aMissingTextIsNoAddress() {
        assertThat(IpAddress.parse(null)).isEmpty();
    }

    @Test
    void anEndlessTextIsRefused() {
        assertThat(IpAddress.parse("1:".repeat(1_000_000))).isEmpty();
    }

    @Test
    void mappedAddressesEqualTheirIpv4Form() {
        assertThat(IpAddress.parse("::ffff:10.1.2.3")).isEqualTo(IpAddress.parse("10.1.2.3"));
    }

    @Test
    void writtenAddressesAreReadAgain() throws UnknownHostException {
        Random random = new Random(42);
        for (int i = 0; i < 10_000; i++) {
            long mask = random.nextLong() & random.nextLong();
            IpAddress address = new IpAddress(random.nextLong() & mask, random.nextLong() & mask & random.nextLong());
            assertThat(IpAddress.parse(address.toString())).contains(address);
            InetAddress theirs = InetAddress.getByName(address.toString());
            assertThat(IpAddress.parse(theirs.getHostAddress())).contains(address);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2001:db8:1:2:3:4:5:6, 64, 2001:db8:1:2::",
        "2001:db8:1:2:3:4:5:6, 48, 2001:db8:1::",
        "2001:db8:1:2:3:4:5:6, 72, 2001:db8:1:2::",
        "2001:db8:1:2:3:4:5:6, 128, 2001:db8:1:2:3:4:5:6",
        "2001:db8:1:2:3:4:5:6, 0, ::",
    })
    void prefixKeepsTheFirstBits(String text, int bits, String expected) {
        assertThat(IpAddress.parse(text).orElseThrow().prefix(bits)).hasToString(expected);
    }
}
