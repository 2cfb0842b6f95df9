// SPDX-License-Identifier: Apache-2.0
package io.keptlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documents that say which test holds what name tests that are there. */
class BugTableTest {
    private static final Path TESTS = Path.of("src/test/java");
    private static final Pattern NAME = Pattern.compile("`([A-Z]\\w*(?:Test|IT|Contract))(?:\\.(\\w+))?`");

    private static Map<String, Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(TESTS)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .collect(Collectors.toMap(
                            file -> String.valueOf(file.getFileName()).replace(".java", ""),
                            file -> file,
                            (one, other) -> one));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/bugs.md", "docs/durability.md", "docs/cluster.md", "docs/performance.md"})
    void everyNamedTestIsThere(String document) throws IOException {
        Map<String, Path> sources = sources();
        List<String> missing = new ArrayList<>();
        Matcher names = NAME.matcher(Files.readString(Path.of(document)));
        int found = 0;
        while (names.find()) {
            found++;
            Path source = sources.get(names.group(1));
            String method = names.group(2);
            if (source == null || (method != null && !Files.readString(source).contains("void " + method + "("))) {
                missing.add(names.group());
            }
        }
        assertThat(missing).as(document + " names " + found + " tests").isEmpty();
    }
}
