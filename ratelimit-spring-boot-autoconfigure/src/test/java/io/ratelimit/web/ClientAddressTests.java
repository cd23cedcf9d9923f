package io.ratelimit.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.web.ClientAddress.ForwardingHeader;
import io.ratelimit.web.ClientAddress.Settings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;

@ExtendWith(OutputCaptureExtension.class)
class ClientAddressTests {

    private static final List<String> PROXIES = List.of("10.0.0.0/8", "2001:db8:ff::/48");

    private final ClientAddress untrusting = new ClientAddress(Settings.DEFAULT);

    private final ClientAddress trusting =
            new ClientAddress(new Settings(PROXIES, ForwardingHeader.X_FORWARDED_FOR, 64));

    private final ClientAddress forwarded = new ClientAddress(new Settings(PROXIES, ForwardingHeader.FORWARDED, 64));

    private static MockHttpServletRequest from(String peer, String... forwardedFor) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        request.setRemoteAddr(peer);
        for (String line : forwardedFor) {
            request.addHeader("X-Forwarded-For", line);
        }
        return request;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 192.0.2.1",
                "::ffff:192.0.2.1 | 192.0.2.1",
                "2001:db8:1:2:3:4:5:6 | 2001:db8:1:2::/64",
                "fe80::1%eth0 | fe80::/64",
                "[2001:db8::1] | 2001:db8::/64",
            })
    void peersHaveOneText(String peer, String expected) {
        assertThat(untrusting.resolve(from(peer))).contains(expected);
    }

    @Test
    void aPeerWithoutAddressHasNone() {
        assertThat(untrusting.resolve(from(""))).isEmpty();
        assertThat(untrusting.resolve(from("unix:/run/socket"))).isEmpty();
        assertThat(trusting.resolve(from("unix:/run/socket", "192.0.2.1"))).isEmpty();
    }

    @Test
    void aRotatedHeaderFromAnUntrustedPeerChangesNothing() {
        for (int i = 0; i < 256; i++) {
            assertThat(untrusting.resolve(from("203.0.113.9", "198.51.100." + i)))
                    .contains("203.0.113.9");
            assertThat(trusting.resolve(from("203.0.113.9", "198.51.100." + i))).contains("203.0.113.9");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "192.0.2.1 | 192.0.2.1",
                "6.6.6.6, 192.0.2.1 | 192.0.2.1",
                "6.6.6.6, 192.0.2.1, 10.0.0.2 | 192.0.2.1",
                "6.6.6.6,192.0.2.1:4711,10.0.0.2:80 | 192.0.2.1",
                "6.6.6.6, ::ffff:192.0.2.1, ::ffff:10.0.0.2 | 192.0.2.1",
                "[2001:db8:1:2::3]:4711, 10.0.0.2 | 2001:db8:1:2::/64",
                "2001:db8:1:2::3, 2001:db8:ff::7 | 2001:db8:1:2::/64",
                "10.0.0.3, 10.0.0.2 | 10.0.0.3",
                "192.0.2.1, , 10.0.0.2, | 192.0.2.1",
                "192.0.2.1, garbage | 10.0.0.1",
                "192.0.2.1, garbage, 10.0.0.2 | 10.0.0.2",
                "unknown | 10.0.0.1",
                "'' | 10.0.0.1",
                "192.0.2.1:port:port | 10.0.0.1",
                "[192.0.2.1 | 10.0.0.1",
                "192.0.2.999 | 10.0.0.1",
            })
    void aTrustedChainYieldsTheFirstUntrustedAddressFromTheRight(String header, String expected) {
        assertThat(trusting.resolve(from("10.0.0.1", header))).contains(expected);
    }

    @Test
    void severalHeaderLinesAreOneChain() {
        assertThat(trusting.resolve(from("10.0.0.1", "6.6.6.6", "192.0.2.1, 10.0.0.3", "10.0.0.2")))
                .contains("192.0.2.1");
    }

    @Test
    void aTrustedPeerWithoutHeaderIsTheClient() {
        assertThat(trusting.resolve(from("10.0.0.1"))).contains("10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "for=192.0.2.1 | 192.0.2.1",
                "For=\"192.0.2.1:4711\";proto=https;by=10.0.0.1 | 192.0.2.1",
                "for=6.6.6.6, for=192.0.2.1;host=\"a,b;for=7.7.7.7\", for=10.0.0.2 | 192.0.2.1",
                "for=\"[2001:db8:1:2::3]:4711\" | 2001:db8:1:2::/64",
                "for=\"[2001:db8:1:2::3]\";proto=http , for=10.0.0.2 | 2001:db8:1:2::/64",
                "for=\"192.0.2.\\1\" | 192.0.2.1",
                "for=192.0.2.1, for=_hidden | 10.0.0.1",
                "for=192.0.2.1, for=unknown, for=10.0.0.2 | 10.0.0.2",
                "for=192.0.2.1, proto=https | 10.0.0.1",
                "by=192.0.2.1 | 10.0.0.1",
                "for=\"192.0.2.1 | 10.0.0.1",
                "for=192.0.2.1;x=\"for=10.0.0.9, for=8.8.8.8 | 192.0.2.1",
            })
    void forwardedIsReadAsInRfc7239(String header, String expected) {
        MockHttpServletRequest request = from("10.0.0.1", "9.9.9.9");
        request.addHeader("Forwarded", header);
        assertThat(forwarded.resolve(request)).contains(expected);
    }

    @Test
    void wrappersDoNotHideTheContainersRequest() {
        HttpServletRequest wrapped = new HttpServletRequestWrapper(from("10.0.0.1", "6.6.6.6, 192.0.2.1")) {
            @Override
            public String getRemoteAddr() {
                return "6.6.6.6";
            }

            @Override
            public String getHeader(String name) {
                return "6.6.6.6";
            }
        };
        assertThat(trusting.resolve(wrapped)).contains("192.0.2.1");
        assertThat(untrusting.resolve(wrapped)).contains("6.6.6.6");
    }

    @Test
    void aWrapperThatAnswersGarbageIsPassedOver() {
        HttpServletRequest wrapped = new HttpServletRequestWrapper(from("10.0.0.1")) {
            @Override
            public String getRemoteAddr() {
                return "<script>";
            }
        };
        assertThat(untrusting.resolve(wrapped)).contains("10.0.0.1");
    }

    @Test
    void aLongChainIsReadFromTheRightOnly() {
        String chain = "6.6.6.6," + "10.0.0.7,".repeat(100_000);
        assertThat(trusting.resolve(from("10.0.0.1", chain))).contains("10.0.0.7");
    }

    @Test
    void theIpv6PrefixCanBeChosen() {
        ClientAddress exact = new ClientAddress(new Settings(List.of(), ForwardingHeader.X_FORWARDED_FOR, 128));
        ClientAddress wide = new ClientAddress(new Settings(List.of(), ForwardingHeader.X_FORWARDED_FOR, 48));
        assertThat(exact.resolve(from("2001:db8::1"))).contains("2001:db8::1");
        assertThat(wide.resolve(from("2001:db8:1:2::1"))).contains("2001:db8:1::/48");
        assertThat(wide.resolve(from("192.0.2.1"))).contains("192.0.2.1");
    }

    @Test
    void settingsSayWhatIsWrong() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Settings(List.of(), ForwardingHeader.FORWARDED, 129))
                .withMessage("ipv6-prefix 129 is out of range; use a number from 1 to 128");
    }

    @Test
    void anIgnoredHeaderIsWarnedOfOncePerHour(CapturedOutput output) {
        AtomicLong nanos = new AtomicLong(-1);
        ClientAddress address =
                new ClientAddress(new Settings(PROXIES, ForwardingHeader.X_FORWARDED_FOR, 64), nanos::get);
        for (int i = 0; i < 100; i++) {
            address.resolve(from("203.0.113.9", "198.51.100." + i));
        }
        assertThat(output.getAll().split("A request from 203.0.113.9 carries X-Forwarded-For", -1))
                .hasSize(2);
        assertThat(output.getAll()).doesNotContain("198.51.100");
        nanos.addAndGet(3_600_000_000_000L);
        address.resolve(from("203.0.113.9", "198.51.100.1"));
        assertThat(output.getAll().split("A request from 203.0.113.9 carries X-Forwarded-For", -1))
                .hasSize(3);
    }

    @Test
    void randomHeadersYieldAnAddressOrThePeerAndNeverThrow() {
        Random random = new Random(3);
        String alphabet = "0123456789abcdef.:,;=\"[]%_\\ for\u00e9\u0000/";
        for (int i = 0; i < 100_000; i++) {
            String header = random.ints(random.nextInt(40), 0, alphabet.length())
                    .mapToObj(index -> alphabet.substring(index, index + 1))
                    .collect(Collectors.joining());
            MockHttpServletRequest request = from("10.0.0.1", header);
            request.addHeader("Forwarded", "for=" + header);
            for (ClientAddress address : List.of(trusting, forwarded)) {
                String text = address.resolve(request).orElseThrow();
                assertThat(IpAddress.parse(text.replace("/64", ""))).isPresent();
            }
        }
    }
}
