// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * axe-core in the page that is shown. The script is the one of the build's dependency, or a newer one by
 * {@code -Daxe.script=…/axe.min.js} ({@code npm pack axe-core}). It stays in the page until that is loaded again.
 */
final class Axe {
    private final Browser browser;

    Axe(Browser browser) {
        this.browser = browser;
        // As a function's body, run by the driver: the page's own policy would rightly refuse it.
        browser.run(script() + "; window.axe = window.axe ?? axe;");
    }

    private static String script() {
        @Nullable String newer = System.getProperty("axe.script");
        try {
            if (newer != null && !newer.isEmpty()) {
                return Files.readString(Path.of(newer));
            }
            try (InputStream in = Objects.requireNonNull(Axe.class.getResourceAsStream("/axe.min.js"))) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Fails with every serious or critical fault of what is shown now. */
    void requireNoSeriousFault(String what) {
        Object found = browser.await("const r = await axe.run(document, {resultTypes: ['violations']});"
                + " return r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')"
                + ".flatMap((v) => v.nodes.map((n) => `${v.id}: ${n.html} ${n.failureSummary}`))");
        assertThat(found).as(what).isEqualTo(List.of());
    }
}
