package io.ratelimit.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.redis.RedisBackend;
import io.ratelimit.redis.RedisProcess;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Every meter as the actuator of an application that runs shows it. */
class MetersTests {

    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @Test
    void decisionsAreCountedFromZeroByNameAndOutcome() {
        try (OperatedApplication shop = open("ratelimit.rules[1].shadow=true")) {
            assertThat(value(shop, "ratelimit.decisions?tag=name:api&tag=outcome:rejected"))
                    .isZero();
            assertThat(value(shop, "ratelimit.decisions?tag=name:search&tag=outcome:error"))
                    .isZero();
            times(5, () -> shop.get("/api"));
            times(3, () -> shop.get("/login"));

            assertThat(value(shop, "ratelimit.decisions?tag=name:api&tag=outcome:allowed"))
                    .isEqualTo(2);
            assertThat(value(shop, "ratelimit.decisions?tag=name:api&tag=outcome:rejected"))
                    .isEqualTo(3);
            assertThat(value(shop, "ratelimit.decisions?tag=name:login&tag=outcome:allowed"))
                    .isEqualTo(2);
            assertThat(value(shop, "ratelimit.decisions?tag=name:login&tag=outcome:shadow_rejected"))
                    .isEqualTo(1);
        }
    }

    @Test
    void nearLimitIsCountedFromTheConfiguredPercentageOn() {
        try (OperatedApplication shop = open("ratelimit.metrics.near-limit=67", "ratelimit.rules[0].limit=10")) {
            times(6, () -> shop.get("/api"));
            assertThat(value(shop, "ratelimit.near.limit?tag=name:api")).isZero();
            times(6, () -> shop.get("/api"));
            assertThat(value(shop, "ratelimit.near.limit?tag=name:api"))
                    .describedAs("the seventh to the tenth, and no refusal")
                    .isEqualTo(4);
        }
    }

    @Test
    void keysInMemoryAreCountedAndAddNoMeters() {
        try (OperatedApplication shop = open("ratelimit.rules[0].key=header('X-Key')")) {
            shop.get("/api", "X-Key", "first");
            String before = shop.get("/actuator/metrics/ratelimit.decisions").body();
            IntStream.range(0, 50).forEach(i -> shop.get("/api", "X-Key", "key" + i));

            assertThat(value(shop, "ratelimit.memory.keys")).isEqualTo(51);
            assertThat(tags(shop.get("/actuator/metrics/ratelimit.decisions").body()))
                    .isEqualTo(tags(before));
        }
    }

    @Test
    void waitingAndDelayedRequestsAreCounted() {
        try (OperatedApplication shop = open(
                "server.shutdown=immediate",
                "ratelimit.rules[0].algorithm=leaky-bucket",
                "ratelimit.rules[0].window=4s",
                "ratelimit.rules[0].limit=2",
                "ratelimit.rules[0].burst=1")) {
            shop.get("/api");
            Thread second = new Thread(() -> shop.get("/api"));
            second.start();

            Awaitility.await().atMost(DEADLINE).until(() -> value(shop, "ratelimit.waiting") == 1);
            Awaitility.await().atMost(DEADLINE).until(() -> value(shop, "ratelimit.waiting") == 0);
            assertThat(value(shop, "ratelimit.decisions?tag=name:api&tag=outcome:delayed"))
                    .isEqualTo(1);
        }
    }

    @Test
    void redisIsTimedItsErrorsAreCountedAndItsAbsenceIsSeen() {
        try (RedisProcess redis = RedisProcess.started();
                OperatedApplication shop = open(
                        "ratelimit.backend=redis",
                        "ratelimit.redis.timeout=5s",
                        "spring.data.redis.port=" + redis.port(),
                        "ratelimit.rules[0].limit=1000",
                        "ratelimit.rules[1].key='one'")) {
            RedisBackend backend = shop.context().getBean(RedisBackend.class);
            Awaitility.await().atMost(DEADLINE).until(backend::available);
            long before = (long) value(shop, "ratelimit.redis?tag=outcome:success");
            times(3, () -> shop.get("/api"));
            times(4, () -> shop.get("/login"));

            assertThat(value(shop, "ratelimit.redis?tag=outcome:success"))
                    .describedAs("three of /api, two and one refusal of /login")
                    .isEqualTo(before + 6);
            assertThat(value(shop, "ratelimit.redis.spared")).isEqualTo(1);
            assertThat(value(shop, "ratelimit.redis.available")).isEqualTo(1);

            redis.close();
            Awaitility.await().atMost(DEADLINE).until(() -> {
                shop.get("/api");
                return value(shop, "ratelimit.redis.available") == 0;
            });
            assertThat(value(shop, "ratelimit.redis?tag=outcome:error")).isPositive();
            assertThat(value(shop, "ratelimit.memory.keys"))
                    .describedAs("this node's memory decides")
                    .isPositive();
        }
    }

    private static OperatedApplication open(String... properties) {
        return OperatedApplication.start(
                Shop.Open.class,
                Stream.concat(Stream.of(Shop.LIMITS), Stream.of(properties)).toArray(String[]::new));
    }

    private static void times(int times, Runnable request) {
        IntStream.range(0, times).forEach(i -> request.run());
    }

    /** The count of a counter or timer, the value of a gauge. */
    private static double value(OperatedApplication shop, String meter) {
        HttpResponse<String> answer = shop.get("/actuator/metrics/" + meter);
        assertThat(answer.statusCode()).describedAs(meter).isEqualTo(200);
        Matcher value = Pattern.compile("\"statistic\":\"(?:COUNT|VALUE)\",\"value\":([0-9.E]+)")
                .matcher(answer.body());
        assertThat(value.find()).describedAs(answer.body()).isTrue();
        return Double.parseDouble(value.group(1));
    }

    private static List<String> tags(String answer) {
        Matcher values = Pattern.compile("\"values\":\\[([^]]*)]").matcher(answer);
        return values.results().map(result -> result.group(1)).sorted().toList();
    }
}
