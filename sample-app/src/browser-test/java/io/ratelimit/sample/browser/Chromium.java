package io.ratelimit.sample.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * The system's Chromium and its driver; nothing is downloaded.
 *
 * @param browser the browser's executable
 * @param driver the driver's executable
 */
record Chromium(Path browser, Path driver) {

    private static final String PACKAGES = "chromium chromium-driver";

    /** Finds both, or skips the test that asks. */
    static Chromium require() {
        Path browser = Programs.require(PACKAGES, "chromium", "chromium-browser", "google-chrome");
        return new Chromium(browser, Programs.require(PACKAGES, "chromedriver"));
    }

    /**
     * Starts a window of its own, without a screen.
     *
     * @return the browser, to be quit
     */
    ChromeDriver open() {
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(driver.toFile())
                .usingAnyFreePort()
                .build();
        return new ChromeDriver(service, options());
    }

    private ChromeOptions options() {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(browser.toFile());
        options.setCapability("goog:loggingPrefs", logs);
        return options.addArguments(List.of(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run",
                "--hide-scrollbars",
                "--user-data-dir=" + profile()));
    }

    private static Path profile() {
        try {
            return Files.createTempDirectory("chromium-profile");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
