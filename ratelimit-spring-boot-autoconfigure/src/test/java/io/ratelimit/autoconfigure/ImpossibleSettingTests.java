package io.ratelimit.autoconfigure;

import static io.ratelimit.autoconfigure.StartupFailure.assertFailure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a user reads when a setting of the whole limiter cannot work: the whole message, word by word. */
class ImpossibleSettingTests {

    @Test
    void redisWithoutSpringDataRedis() {
        assertFailure(
                "ratelimit: { backend: redis }",
                "ratelimit.backend: 'redis' needs Spring Data Redis and a RedisConnectionFactory bean, "
                        + "and at least one is missing.",
                "Add spring-boot-starter-data-redis, or use ratelimit.backend = memory.");
    }

    @Test
    void noRoomForKeys() {
        assertFailure(
                "ratelimit: { memory: { max-keys: 0 } }",
                "ratelimit.memory: max-keys 0 is not positive.",
                "Use 1 or more.");
    }

    @Test
    void negativeNumberOfWaitingRequests() {
        assertFailure("ratelimit: { max-waiting: -1 }", "ratelimit.max-waiting: '-1' is negative.", "Use 0 or more.");
    }

    @ParameterizedTest
    @CsvSource({
        "200000000d, PT4800000000H",
        "100000000d, PT2400000000H",
        "366d, PT8784H",
        "500us, PT0.0005S",
        "-1s, PT-1S"
    })
    void intervalOfEventsThatNoClockHolds(String written, String shown) {
        assertFailure(
                "ratelimit: { events: { interval: %s } }".formatted(written),
                "ratelimit.events: interval %s is out of range.".formatted(shown),
                "Use 0s, or a duration from 1ms to 365d.");
    }

    @Test
    void prefixLongerThanAnAddress() {
        assertFailure(
                "ratelimit: { client-ip: { ipv6-prefix: 129 } }",
                "ratelimit.client-ip: ipv6-prefix 129 is out of range.",
                "Use a number from 1 to 128.");
    }

    @Test
    void trustedProxyThatIsNoAddress() {
        assertFailure(
                "ratelimit: { client-ip: { trusted-proxies: [ 10.0.0.0/8, gateway ] } }",
                "ratelimit.client-ip: 'gateway' is no range of addresses.",
                "Use CIDR notation such as 10.0.0.0/8 or 2001:db8::/32.");
    }
}
