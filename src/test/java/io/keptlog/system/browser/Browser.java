// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.browser;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.NoSuchElementException;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.FluentWait;

/**
 * Chromium without a window, looking at the console of one server. Owns the browser's processes. One thread. Every look waits until what
 * it looks for is there, with a deadline; what is replaced meanwhile is looked for again.
 */
final class Browser implements AutoCloseable {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final Duration PAUSE = Duration.ofMillis(50);
    /** Where screenshots are left, to be looked at. */
    private static final Path SCREENS = Path.of("target", "console-screens");

    private static final List<String> PLACES = List.of("/usr/bin/", "/usr/local/bin/", "/usr/lib/chromium/");

    private final ChromeDriver driver;
    private final String address;

    private Browser(ChromeDriver driver, String address) {
        this.driver = driver;
        this.address = address;
    }

    /** Skips the test, with the reason, where there is no Chromium (Debian's packages chromium and chromium-driver). */
    static void requireChromium() {
        assumeTrue(program("chromium").isPresent(), "skipped: the package chromium is not installed");
        assumeTrue(program("chromedriver").isPresent(), "skipped: the package chromium-driver is not installed");
    }

    private static Optional<Path> program(String name) {
        return PLACES.stream()
                .map(p -> Path.of(p + name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    static Browser open(int port) {
        var options = new ChromeOptions();
        options.setBinary(program("chromium").orElseThrow().toFile());
        options.addArguments(
                "--headless=new",
                // In a container the sandbox of Chromium cannot be made; the page is our own.
                "--no-sandbox",
                "--disable-dev-shm-usage",
                "--disable-gpu",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update");
        var logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        var service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver").orElseThrow().toFile())
                .usingAnyFreePort()
                .build();
        var driver = new ChromeDriver(service, options);
        driver.manage().timeouts().scriptTimeout(DEADLINE).pageLoadTimeout(DEADLINE);
        var browser = new Browser(driver, "http://127.0.0.1:" + port + "/");
        browser.window(1280, 900);
        return browser;
    }

    // --- where it is ---

    /** The console as somebody sees it who was never there. */
    void openAsAStranger() {
        driver.get(address);
        driver.executeScript("sessionStorage.clear(); localStorage.clear()");
        driver.get(address);
        find("form[aria-label='Log in']");
    }

    /** Another page of the server. */
    void address(String path) {
        driver.get(address + path);
    }

    void reload() {
        driver.navigate().refresh();
    }

    /** Goes to a page of the console and waits until it is shown. */
    void page(String hash) {
        driver.executeScript(
                "window.arrived = false; document.addEventListener('keptlog:page', () => { window.arrived = true; },"
                        + " {once: true}); if (location.hash === arguments[0]) dispatchEvent(new"
                        + " HashChangeEvent('hashchange')); else location.hash = arguments[0]",
                "#" + hash);
        awaitTrue("return window.arrived");
    }

    void window(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    /** What the system prefers: light or dark. */
    void system(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    // --- what it sees ---

    WebElement find(String css) {
        return waiting("nothing is there: " + css).until(d -> {
            WebElement element = driver.findElement(By.cssSelector(css));
            return element.isDisplayed() ? element : null;
        });
    }

    List<WebElement> all(String css) {
        return driver.findElements(By.cssSelector(css));
    }

    /** The innermost visible element of a kind with this text. */
    WebElement find(String css, String text) {
        return waiting("no " + css + " with the text " + text).until(d -> Stream.of(all(css))
                .flatMap(List::stream)
                .filter(e -> e.isDisplayed() && e.getText().strip().equals(text))
                .findFirst()
                .orElse(null));
    }

    void awaitText(String css, String text) {
        waiting(css + " does not contain: " + text).until(d -> driver.findElements(By.cssSelector(css)).stream()
                .anyMatch(e -> e.getText().contains(text)));
    }

    void awaitGone(String css) {
        waiting("still there: " + css)
                .until(d -> driver.findElements(By.cssSelector(css)).isEmpty());
    }

    void awaitTrue(String script) {
        waiting("not true: " + script).until(d -> Boolean.TRUE.equals(driver.executeScript(script)));
    }

    Object run(String script, Object... arguments) {
        return driver.executeScript(script, arguments);
    }

    /** The body of an async function; its promise's value. */
    Object await(String script, Object... arguments) {
        return driver.executeAsyncScript(
                "const done = arguments[arguments.length - 1]; (async (...arguments) => {" + script
                        + "})(...arguments).then(done, (e) => done(`failed: ${e.stack ?? e}`))",
                arguments);
    }

    // --- what it does ---

    void button(String text) {
        button("", text);
    }

    /** A button within something. */
    void button(String within, String text) {
        find(within + " button", text).click();
    }

    /** Types into the control with this name, in place of what is there. */
    void type(String name, String text) {
        WebElement control = find("[name='" + name + "']");
        control.clear();
        control.sendKeys(text);
    }

    /** Opens every message in the list, without looking whether it is behind something. */
    void openMessages() {
        driver.executeScript("document.querySelectorAll('details.message').forEach((m) => { m.open = true; })");
    }

    void choose(String name, String value) {
        find("select[name='" + name + "'] option[value='" + value + "']").click();
    }

    void press(CharSequence... keys) {
        new Actions(driver).sendKeys(keys).perform();
    }

    /** Tab until the focus is on an element with this text or label. */
    void tabTo(String text) {
        for (int i = 0; i < 60; i++) {
            press(Keys.TAB);
            Object focused = driver.executeScript("const e = document.activeElement;"
                    + " return (e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent).trim()");
            if (text.equals(focused)) {
                return;
            }
        }
        throw new AssertionError("not reached with Tab: " + text);
    }

    void logIn(String username, String password) {
        type("username", username);
        type("password", password);
        button("Log in");
    }

    // --- what it keeps ---

    /** The whole page as a picture in target/console-screens. */
    void screenshot(String name) {
        try {
            Files.createDirectories(SCREENS);
            Files.write(SCREENS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What the browser has complained about since the last time. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(e -> e.getLevel().intValue() >= Level.WARNING.intValue())
                .map(e -> e.getMessage())
                .toList();
    }

    boolean hasCookies() {
        return !driver.manage().getCookies().isEmpty();
    }

    private FluentWait<ChromeDriver> waiting(String what) {
        return new FluentWait<>(driver)
                .withTimeout(DEADLINE)
                .pollingEvery(PAUSE)
                .ignoring(NoSuchElementException.class)
                .ignoring(StaleElementReferenceException.class)
                .withMessage(() ->
                        what + "\n" + driver.findElement(By.tagName("body")).getText());
    }

    @Override
    public void close() {
        driver.quit();
    }
}
