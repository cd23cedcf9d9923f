package io.ratelimit.sample.playground;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.sample.RunningSample;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaygroundTests extends RunningSample {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/",
                "/playground/main.js",
                "/playground/page.css",
                "/playground/icon.svg",
                "/playground/api/presets"
            })
    void thePageAndItsPartsAreServedWithoutALimit(String path) {
        HttpResponse<String> response = get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("RateLimit")).isEmpty();
    }

    @Test
    void theStatusNamesTheBackendAndTheLimitersClock() {
        assertThat(get("/playground/api/status").body())
                .contains("\"backend\":\"memory\"", "\"detail\":\"this process\"", "\"clockMicros\":" + time.micros());
    }

    @ParameterizedTest
    @CsvSource({"FIXED_WINDOW,4", "SLIDING_LOG,4", "SLIDING_COUNTER,4", "TOKEN_BUCKET,2", "LEAKY_BUCKET,3"})
    void aLiveRequestMeetsTheLimitThatTheVisitorChose(String algorithm, int admitted) {
        String path = "/playground/live/" + algorithm
                + "?limit=4&windowMillis=60000&capacity=2&queue=2&nodelay=true&run=" + algorithm;

        assertThat(statusesOf(admitted + 1, "GET", path)).startsWith(200).endsWith(429);
        assertThat(statusesOf(1, "GET", path.replace("run=", "run=another-")))
                .describedAs("another run counts for itself")
                .containsExactly(200);
    }

    @Test
    void theAlgorithmsOfOneRunDoNotShareCounts() {
        String settings = "?limit=1&windowMillis=60000&run=shared";

        assertThat(statusesOf(1, "GET", "/playground/live/FIXED_WINDOW" + settings))
                .containsExactly(200);
        assertThat(statusesOf(1, "GET", "/playground/live/SLIDING_LOG" + settings))
                .containsExactly(200);
        assertThat(statusesOf(1, "GET", "/playground/live/FIXED_WINDOW" + settings))
                .containsExactly(429);
    }

    @Test
    void aTimeLapseSaysWhatEachAlgorithmDid() {
        HttpResponse<String> response = postJson(
                "/playground/api/time-lapse",
                """
                {"settings": {"limit": 1, "windowMillis": 1000, "queue": 1},
                 "arrivals": [{"atMicros": 0, "count": 3}], "fromMicros": 0, "untilMicros": 2000000}""");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body())
                .contains("\"algorithm\":\"LEAKY_BUCKET\",\"capacity\":2,\"admitted\":2,\"delayed\":1,\"refused\":1")
                .contains("\"delaysMicros\":[1000000]");
    }

    @Test
    void whatCannotBeDrawnIsRefusedWithAReason() {
        HttpResponse<String> response = postJson(
                "/playground/api/time-lapse",
                """
                {"settings": {"limit": 1001, "windowMillis": 1000},
                 "arrivals": [], "fromMicros": 0, "untilMicros": 2000000}""");

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("limit: 1001 is out of range; use a number from 0 to 1000");
    }
}
