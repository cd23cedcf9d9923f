package io.ratelimit.sample.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** The page of a shop that counts in Redis: a redis-server of its own. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "logging.level.org.openqa.selenium=error")
@ActiveProfiles("redis")
class LiveOnRedisBrowserTests {

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    @TempDir
    static Path data;

    private static int redisPort;

    private static @Nullable Process redis;

    private static @Nullable ChromeDriver browser;

    @Value("${local.server.port}")
    private int port;

    @DynamicPropertySource
    static void properties(DynamicPropertyRegistry properties) {
        properties.add("spring.data.redis.port", () -> redisPort);
        // A browser and an application on one busy machine are slow.
        properties.add("ratelimit.redis.timeout", () -> "5s");
    }

    /** Before the application starts. */
    @BeforeAll
    static void startRedisAndBrowser() throws IOException {
        browser = Chromium.require().open();
        Path server = Programs.require("redis-server", "redis-server");
        redisPort = freePort();
        redis = new ProcessBuilder(
                        server.toString(),
                        "--port",
                        "" + redisPort,
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--dir",
                        "" + data)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> answers(redisPort));
    }

    @AfterAll
    static void stop() {
        if (browser != null) {
            browser.quit();
        }
        if (redis != null) {
            redis.destroy();
        }
    }

    @Test
    void liveModeCountsInRedis() {
        PlaygroundPage page = new PlaygroundPage(Objects.requireNonNull(browser), 1280, 900);
        page.visit("http://127.0.0.1:" + port + "/");

        page.chooseMode("live");
        page.play();
        page.awaitAllAnswers();
        page.awaitEndOfPlay();
        page.save(SCREENSHOTS.resolve("desktop-live-redis.png"));

        assertThat(page.text("#backend")).startsWith("Redis backend").contains("" + redisPort);
        assertThat(page.count("TOKEN_BUCKET", "admitted")).isGreaterThanOrEqualTo(4);
        assertThat(page.count("TOKEN_BUCKET", "refused")).isPositive();
        assertThat(page.text("#refusal")).contains("429 Too Many Requests", "ratelimit: \"live\";r=0;t=");
        assertThat(page.complaints()).isEmpty();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean answers(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
