package io.ratelimit.sample.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.Keys;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;

/** Shows the page to a real browser. Pictures of what it saw are left in target/screenshots. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "logging.level.org.openqa.selenium=error")
class PlaygroundBrowserTests {

    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    @Value("${local.server.port}")
    private int port;

    private static @Nullable ChromeDriver browser;

    @BeforeAll
    static void openBrowser() {
        browser = Chromium.require().open();
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.quit();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "boundary-burst, FIXED_WINDOW, 200, 0, 0",
        "boundary-burst, SLIDING_LOG, 100, 0, 100",
        "boundary-burst, SLIDING_COUNTER, 101, 0, 99",
        "parking-lot, SLIDING_LOG, 8, 0, 2",
        "early-burst, SLIDING_LOG, 6, 0, 0",
        "early-burst, SLIDING_COUNTER, 5, 0, 1",
        "late-burst, SLIDING_LOG, 5, 0, 1",
        "late-burst, SLIDING_COUNTER, 6, 0, 0",
        "first-admission, SLIDING_COUNTER, 6, 0, 2",
        "weighted, SLIDING_COUNTER, 6, 0, 2",
        "starts-full, TOKEN_BUCKET, 22, 0, 4",
        "queue, LEAKY_BUCKET, 7, 6, 3",
        "nodelay, LEAKY_BUCKET, 7, 0, 3"
    })
    void presetsShowTheCountsOfTheWorkedTables(
            String preset, String algorithm, int admitted, int delayed, int refused) {
        PlaygroundPage page = visit("/?preset=" + preset, 1280, 900);

        assertThat(page.count(algorithm, "admitted")).isEqualTo(admitted);
        assertThat(page.count(algorithm, "delayed")).isEqualTo(delayed);
        assertThat(page.count(algorithm, "refused")).isEqualTo(refused);
        assertThat(page.complaints()).isEmpty();
    }

    @Test
    void playRunsTheClockToTheEnd() {
        PlaygroundPage page = visit("/", 1280, 900);

        page.play();
        page.awaitCount("FIXED_WINDOW", "admitted", 0);
        page.awaitEndOfPlay();

        assertThat(page.count("FIXED_WINDOW", "admitted")).isEqualTo(200);
        assertThat(page.text("#clock")).isEqualTo("68.00 s");
        page.save(SCREENSHOTS.resolve("desktop.png"));
    }

    @Test
    void liveModeShowsARefusalWithItsHeaders() {
        PlaygroundPage page = visit("/", 1280, 900);

        page.chooseMode("live");
        page.play();
        page.awaitAllAnswers();
        page.awaitEndOfPlay();
        page.save(SCREENSHOTS.resolve("desktop-live.png"));

        assertThat(page.text("#backend")).isEqualTo("Memory backend, this process");
        assertThat(page.count("TOKEN_BUCKET", "admitted")).isGreaterThanOrEqualTo(4);
        assertThat(page.count("TOKEN_BUCKET", "refused")).isPositive();
        assertThat(page.count("LEAKY_BUCKET", "delayed")).isPositive();
        assertThat(page.text("#refusal")).contains("429 Too Many Requests", "retry-after: ", "ratelimit: \"live\";r=0;t=");
        assertThat(page.complaints()).isEmpty();
    }

    @Test
    void theShopAnswersWithA429AndItsHeaders() {
        PlaygroundPage page = visit("/", 1280, 900);

        page.find("button[aria-label^='Send 6 requests: Failed logins']").click();
        page.awaitText("#shop", "1 × 429");

        assertThat(page.text("pre[aria-label='Last response: Failed logins']"))
                .contains("429 Too Many Requests", "retry-after: 900", "ratelimit: \"login\";r=0;t=900")
                .contains("quota-exceeded");
    }

    @Test
    void thePageWorksWithTheKeyboardAlone() {
        PlaygroundPage page = visit("/", 1280, 900);

        page.find("button[data-preset=queue]").sendKeys(Keys.ENTER);
        page.awaitCount("LEAKY_BUCKET", "delayed", 6);
        page.find("#time").sendKeys(Keys.HOME);

        assertThat(page.text("#clock")).isEqualTo("0.00 s");
        assertThat(page.count("LEAKY_BUCKET", "admitted")).isEqualTo(6);
        assertThat(page.find("article[data-algorithm=LEAKY_BUCKET] svg").getDomAttribute("aria-label"))
                .isEqualTo("Leaky bucket: 10 requests, 7 admitted, 6 of them delayed, 3 refused");
    }

    @Test
    void ownTimesAreReadAndMistakesAreExplained() {
        PlaygroundPage page = visit("/?preset=parking-lot", 1280, 900);

        page.find("textarea[name=text]").clear();
        page.find("textarea[name=text]").sendKeys("0 x 7");
        page.awaitCount("SLIDING_LOG", "refused", 2);
        page.find("textarea[name=text]").sendKeys(", soon");
        page.awaitText("#error", "\"soon\" is no time; write seconds such as 5 or 59.9, and a count as 59.9 x 100");
    }

    @ParameterizedTest
    @CsvSource({"light, phone", "dark, phone-dark"})
    void thePageFitsOnAPhone(String theme, String picture) {
        PlaygroundPage page = visit("/", 390, 844);

        page.script("document.documentElement.dataset.theme = '" + theme + "'");

        assertThat(page.overflows()).isFalse();
        page.save(SCREENSHOTS.resolve(picture + ".png"));
    }

    @Test
    void thePageIsReadableInTheDark() {
        PlaygroundPage page = visit("/?preset=queue", 1280, 900);

        page.find("#theme").click();

        assertThat(page.find("#theme").getDomAttribute("aria-pressed")).isEqualTo("true");
        page.save(SCREENSHOTS.resolve("desktop-dark.png"));
    }

    private PlaygroundPage visit(String path, int width, int height) {
        PlaygroundPage page = new PlaygroundPage(Objects.requireNonNull(browser), width, height);
        page.visit("http://127.0.0.1:" + port + path);
        return page;
    }
}
