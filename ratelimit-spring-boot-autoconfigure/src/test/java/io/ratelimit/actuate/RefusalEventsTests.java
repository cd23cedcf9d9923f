package io.ratelimit.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.ratelimit.core.ManualTimeSource;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What an application hears of its refusals, by events and in its log. */
@ExtendWith(OutputCaptureExtension.class)
class RefusalEventsTests {

    @Test
    void everyRefusalIsAnEvent() {
        try (OperatedApplication shop = open()) {
            statuses(shop, "/api", 5);

            assertThat(refusals(shop))
                    .extracting(
                            RateLimitExceededEvent::name,
                            RateLimitExceededEvent::subject,
                            RateLimitExceededEvent::key,
                            RateLimitExceededEvent::suppressed)
                    .containsOnly(tuple("api", "rule 'api'", "all", 0L))
                    .hasSize(3);
        }
    }

    @Test
    void anIntervalLeavesOneEventForEachNameAndCountsTheOthers() {
        try (OperatedApplication shop = open("ratelimit.events.interval=10s")) {
            statuses(shop, "/api", 5);
            statuses(shop, "/login", 3);
            assertThat(refusals(shop)).extracting(RateLimitExceededEvent::name).containsExactly("api", "login");

            shop.context().getBean(ManualTimeSource.class).advance(Duration.ofSeconds(10));
            statuses(shop, "/api", 1);

            assertThat(refusals(shop)).hasSize(3);
            assertThat(refusals(shop).get(2).name()).isEqualTo("api");
            assertThat(refusals(shop).get(2).suppressed()).isEqualTo(2);
        }
    }

    @Test
    void everyDecisionIsALineOfPairsIfDebugIsOn(CapturedOutput output) {
        try (OperatedApplication shop =
                open("logging.level.io.ratelimit.decisions=debug", "ratelimit.rules[0].key=header('X-Key')")) {
            shop.get("/api", "X-Key", "very-secret");
            shop.get("/api", "X-Key", "very-secret");
            shop.get("/api", "X-Key", "very-secret");

            assertThat(output)
                    .containsPattern("name=api subject=\"rule 'api'\" key=sha256:[0-9a-f]{32} outcome=allowed cost=1 "
                            + "remaining=1 retryAfterMicros=0 resetAfterMicros=60000000 delayMicros=0 counted=true "
                            + "limits=\"2 per 1m \\(FIXED_WINDOW\\)\"")
                    .containsPattern("name=api .* outcome=rejected cost=1 remaining=0 retryAfterMicros=60000000")
                    .doesNotContain("very-secret");
        }
    }

    @Test
    void nothingIsLoggedOfDecisionsOtherwise(CapturedOutput output) {
        try (OperatedApplication shop = open()) {
            statuses(shop, "/api", 3);

            assertThat(output).doesNotContain("outcome=");
        }
    }

    private static OperatedApplication open(String... properties) {
        return OperatedApplication.start(
                Shop.Open.class,
                Stream.concat(Stream.of(Shop.LIMITS), Stream.of(properties)).toArray(String[]::new));
    }

    private static void statuses(OperatedApplication shop, String path, int times) {
        IntStream.range(0, times).forEach(i -> shop.get(path));
    }

    private static List<RateLimitExceededEvent> refusals(OperatedApplication shop) {
        return shop.context().getBean(Shop.Open.class).refusals();
    }
}
