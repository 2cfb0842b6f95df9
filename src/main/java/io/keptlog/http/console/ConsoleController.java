// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.console;

import io.swagger.v3.oas.annotations.Hidden;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** What is at the root: the console for browsers, a line of text for everybody else. */
@RestController
class ConsoleController {
    private static final String BANNER =
            "Keptlog, a message log over HTTP.\nConsole: open this address in a browser. Every operation: /swagger-ui.html\n";
    private static final MediaType HTML = new MediaType(MediaType.TEXT_HTML, StandardCharsets.UTF_8);

    /** A browser names text/html when somebody opens the address; curl and clients do not. */
    @Hidden
    @GetMapping("/")
    ResponseEntity<byte[]> root(@RequestHeader(name = HttpHeaders.ACCEPT, required = false) @Nullable String accept)
            throws IOException {
        boolean browser = accept != null && accept.contains(MediaType.TEXT_HTML_VALUE);
        return ResponseEntity.ok()
                .contentType(browser ? HTML : MediaType.TEXT_PLAIN)
                .varyBy(HttpHeaders.ACCEPT)
                .cacheControl(CacheControl.noCache())
                .body(
                        browser
                                ? new ClassPathResource("console/index.html").getContentAsByteArray()
                                : BANNER.getBytes(StandardCharsets.US_ASCII));
    }
}
