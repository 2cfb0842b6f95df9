// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The console as it is served: to whom, under which policy, and that all its parts are there. Console…IT use it. */
@ServerTest
class ConsolePageTest {
    private static final Path SOURCES = Path.of("src/main/resources/console");
    private static final String BROWSER = "Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
    private static final Pattern REFERENCE = Pattern.compile("(?:href|src)=\"(assets/[^\"]+)\"");
    private static final Pattern IMPORT = Pattern.compile("from '([^']+)'");
    /** Ways by which text becomes markup or code. */
    private static final Pattern MARKUP =
            Pattern.compile("innerHTML|outerHTML|insertAdjacentHTML|document\\.write|eval\\(|new Function|srcdoc");

    @LocalServerPort
    int port;

    private RawExchange page() {
        return RawExchange.send(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + BROWSER + "\r\n\r\n");
    }

    @Test
    void aBrowserGetsThePageAndEverybodyElseALineOfText() {
        assertThat(page().status()).isEqualTo(200);
        assertThat(page().header("Content-Type")).isEqualToIgnoringCase("text/html;charset=UTF-8");
        assertThat(page().header("Vary")).contains("Accept");
        assertThat(page().body()).startsWith("<!doctype html>");
        for (String accept : List.of("*/*", "application/json", "")) {
            RawExchange text = RawExchange.get(port, "/", "Accept: " + accept);
            assertThat(text.status()).isEqualTo(200);
            assertThat(text.header("Content-Type")).startsWith("text/plain");
            assertThat(text.body()).startsWith("Keptlog, a message log over HTTP.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/assets/main.js", "/streams", "/no/such/path"})
    void everythingButTheApiPagesHasThePolicyThatAllowsNothingInlineAndNoOtherHost(String path) {
        String policy = RawExchange.get(port, path, BROWSER).header("Content-Security-Policy");
        assertThat(policy)
                .contains("default-src 'none'")
                .contains("script-src 'self'")
                .contains("style-src 'self'")
                .contains("frame-ancestors 'none'")
                .contains("require-trusted-types-for 'script'")
                .doesNotContain("unsafe")
                .doesNotContain("http")
                .doesNotContain("*");
    }

    @Test
    void onlyTheApiPagesMaySetStyles() {
        assertThat(RawExchange.get(port, "/swagger-ui/index.html").header("Content-Security-Policy"))
                .contains("default-src 'self'")
                .contains("style-src 'self' 'unsafe-inline'")
                .doesNotContain("script-src");
    }

    @Test
    void everythingThePageNamesIsServedAndKeptOnlyUntilItChanges() {
        Matcher reference = REFERENCE.matcher(page().body());
        int found = 0;
        while (reference.find()) {
            found++;
            RawExchange asset = RawExchange.send(
                    port, "GET /" + reference.group(1) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(asset.status()).as(reference.group(1)).isEqualTo(200);
            assertThat(asset.header("Cache-Control")).isEqualTo("no-cache");
            assertThat(asset.header("Last-Modified")).isNotEmpty();
            assertThat(asset.header("X-Content-Type-Options")).isEqualTo("nosniff");
        }
        assertThat(found).isGreaterThanOrEqualTo(6);
    }

    @Test
    void everyModuleThatIsImportedIsThereAndNoneTurnsTextIntoMarkup() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file);
                assertThat(text.lines().limit(2).toList().toString())
                        .as(file.toString())
                        .contains("SPDX-License-Identifier: Apache-2.0");
                assertThat(MARKUP.matcher(text).find()).as(file.toString()).isFalse();
                if (file.toString().toLowerCase(Locale.ROOT).endsWith(".js")) {
                    Matcher imported = IMPORT.matcher(text);
                    while (imported.find()) {
                        assertThat(file.resolveSibling(imported.group(1))).exists();
                    }
                }
            }
        }
    }
}
