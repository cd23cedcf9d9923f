package io.ratelimit.sample.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.chrome.ChromeDriver;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.test.context.SpringBootTest;

/** The pictures in docs/images are what the page draws today; new ones are left in target/pictures. */
@SpringBootTest(
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "logging.level.org.openqa.selenium=error")
class PictureTests {

    private static final Path DRAWN = Path.of("target", "pictures");

    private static final Path DOCS = Path.of("..", "docs", "images");

    private static final String DRAW =
            """
            const [preset, algorithms, animated, done] = arguments;
            const [api, picture] = await Promise.all([
                import('/playground/api.js'), import('/playground/picture.js')]);
            const { scenario } = (await api.presets()).find(({ id }) => id === preset);
            const { lanes } = await api.timeLapse(scenario);
            const view = { ...scenario, windowMicros: scenario.settings.windowMillis * 1000 };
            const shown = lanes.filter(({ algorithm }) => algorithms.includes(algorithm));
            done(picture.pictureOf({ lanes: shown, view, settings: scenario.settings }, { animated }));
            """;

    private static @Nullable ChromeDriver browser;

    @Value("${local.server.port}")
    private int port;

    @BeforeAll
    static void openBrowser() {
        browser = Chromium.require().open();
        browser.manage().timeouts().scriptTimeout(Duration.ofSeconds(60));
    }

    @AfterAll
    static void closeBrowser() {
        if (browser != null) {
            browser.quit();
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "boundary-burst, boundary-burst, FIXED_WINDOW SLIDING_LOG SLIDING_COUNTER, true",
        "fixed-window, parking-lot, FIXED_WINDOW, false",
        "parking-lot, parking-lot, SLIDING_LOG, false",
        "early-burst, early-burst, SLIDING_LOG SLIDING_COUNTER, false",
        "late-burst, late-burst, SLIDING_LOG SLIDING_COUNTER, false",
        "first-admission, first-admission, SLIDING_COUNTER, false",
        "starts-full, starts-full, TOKEN_BUCKET, false",
        "queue, queue, LEAKY_BUCKET, false",
        "nodelay, nodelay, LEAKY_BUCKET, false"
    })
    void thePicturesOfTheDocsShowWhatTheLimiterDecides(
            String name, String preset, String algorithms, boolean animated) throws IOException {
        String drawn = draw(preset, algorithms, animated);

        Files.createDirectories(DRAWN);
        Files.writeString(DRAWN.resolve(name + ".svg"), drawn);
        assertThat(DOCS.resolve(name + ".svg")).hasContent(drawn);
    }

    /** The README's are these with fewer colours. */
    @ParameterizedTest(name = "{1}")
    @CsvSource({"light, playground", "dark, playground-dark"})
    void thePicturesOfTheReadmeAreTaken(String theme, String name) {
        PlaygroundPage page = new PlaygroundPage(Objects.requireNonNull(browser), 1280, 900);
        page.visit("http://127.0.0.1:" + port + "/");

        page.script("document.documentElement.dataset.theme = '" + theme + "'");
        page.saveTop(DRAWN.resolve(name + ".png"), 1320);

        assertThat(DRAWN.resolve(name + ".png")).isNotEmptyFile();
        assertThat(page.complaints()).isEmpty();
    }

    private String draw(String preset, String algorithms, boolean animated) {
        ChromeDriver window = Objects.requireNonNull(browser);
        window.get("http://127.0.0.1:" + port + "/playground/icon.svg");
        return (String) Objects.requireNonNull(
                window.executeAsyncScript("(async function() {" + DRAW + "}).apply(null, arguments)", preset, algorithms, animated));
    }
}
