package io.ratelimit.sample.browser;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.stream.StreamSupport;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.support.ui.WebDriverWait;

/** The start page as a visitor sees it. */
final class PlaygroundPage {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ChromeDriver browser;

    PlaygroundPage(ChromeDriver browser, int width, int height) {
        this.browser = browser;
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 2, "mobile", width < 600));
    }

    void visit(String address) {
        complaints();
        browser.get(address);
        await(By.cssSelector("html[data-ready=true]"));
    }

    void choosePreset(String id) {
        find("button[data-preset='" + id + "']").click();
        await(By.cssSelector("button[data-preset='" + id + "'][aria-pressed=true]"));
    }

    void chooseMode(String mode) {
        script("document.querySelector('input[name=mode][value=" + mode + "]').click()");
    }

    void play() {
        find("#play").click();
    }

    void awaitEndOfPlay() {
        new WebDriverWait(browser, PATIENCE).until(ready -> find("#play").getText().equals("Play"));
    }

    void awaitAllAnswers() {
        await(By.cssSelector("#lanes[data-answered=all]"));
    }

    /** The number under "admitted", "delayed" or "refused" in an algorithm's lane. */
    int count(String algorithm, String kind) {
        String selector = "article[data-algorithm=" + algorithm + "] li." + kind + " b";
        return Integer.parseInt(find(selector).getText());
    }

    void awaitCount(String algorithm, String kind, int expected) {
        new WebDriverWait(browser, PATIENCE)
                .withMessage(() -> algorithm + " " + kind + " " + count(algorithm, kind) + ", not " + expected)
                .until(ready -> count(algorithm, kind) == expected);
    }

    void awaitText(String selector, String expected) {
        new WebDriverWait(browser, PATIENCE)
                .withMessage(() -> selector + " says \"" + text(selector) + "\", not \"" + expected + "\"")
                .until(ready -> text(selector).contains(expected));
    }

    String text(String selector) {
        return find(selector).getText();
    }

    WebElement find(String selector) {
        return browser.findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return browser.findElements(By.cssSelector(selector));
    }

    Object script(String script) {
        return browser.executeScript(script);
    }

    /** Whether something is wider than the window, so that a phone would scroll sideways. */
    boolean overflows() {
        return (Boolean) script("return document.documentElement.scrollWidth > document.documentElement.clientWidth");
    }

    /** What the browser complains about; a refused request that is shown on purpose is no complaint. */
    List<String> complaints() {
        return StreamSupport.stream(
                        browser.manage().logs().get(LogType.BROWSER).spliterator(), false)
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .filter(message -> !message.contains("status of 429"))
                .toList();
    }

    /** Saves the whole page as a picture. */
    void save(Path file) {
        saveTop(file, ((Number) script("return document.documentElement.scrollHeight")).intValue());
    }

    /** Saves the upper part of the page as a picture. */
    void saveTop(Path file, int height) {
        Object width = script("return document.documentElement.clientWidth");
        save(file, Map.of("x", 0, "y", 0, "width", width, "height", height, "scale", 1));
    }

    private void save(Path file, Map<String, Object> clip) {
        Map<String, Object> answer = browser.executeCdpCommand(
                "Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", true, "clip", clip));
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, Base64.getDecoder().decode((String) answer.get("data")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void await(By element) {
        new WebDriverWait(browser, PATIENCE)
                .until(ready -> !browser.findElements(element).isEmpty());
    }
}
