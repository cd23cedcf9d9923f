package io.ratelimit.sample.browser;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
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

    static final String MISSING = "browser tests skipped: no chromium and chromedriver on the PATH"
            + " (Debian: apt-get install chromium chromium-driver)";

    static Optional<Chromium> find() {
        Optional<Path> driver = onPath("chromedriver");
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(name -> onPath(name).stream())
                .findFirst()
                .flatMap(browser -> driver.map(found -> new Chromium(browser, found)));
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

    private static Optional<Path> onPath(String command) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> Path.of(folder, command))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
