// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The jar says what it is made of. */
@EnabledIfSystemProperty(named = "keptlog.sbom", matches = "true", disabledReason = "the profile sbom makes the list")
class PartsListIT {
    private static final String LIST = "META-INF/sbom/application.cdx.json";
    private static final String LIBRARIES = "BOOT-INF/lib/";

    @Test
    void everyLibraryInTheJarIsInItsListOfParts() throws IOException {
        try (var jar = new JarFile(ServerProcess.jar().toFile())) {
            JarEntry entry = jar.stream()
                    .filter(e -> e.getName().endsWith(LIST))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no " + LIST));
            Set<String> listed = new TreeSet<>();
            try (InputStream in = jar.getInputStream(entry)) {
                JsonNode list = Objects.requireNonNull(new JsonMapper().readTree(in));
                assertThat(list.path("bomFormat").asString()).isEqualTo("CycloneDX");
                list.path("components").forEach(part -> {
                    listed.add(part.path("name").asString() + "-"
                            + part.path("version").asString());
                });
            }
            Set<String> shipped = new TreeSet<>();
            jar.stream()
                    .map(JarEntry::getName)
                    .filter(name -> name.startsWith(LIBRARIES) && name.endsWith(".jar"))
                    .map(name -> name.substring(LIBRARIES.length(), name.length() - ".jar".length()))
                    .forEach(shipped::add);
            // Not a dependency: Boot's plugin adds it when it packs the jar, of Boot's own version.
            shipped.removeIf(library -> library.startsWith("spring-boot-jarmode-tools-"));
            assertThat(shipped).hasSizeGreaterThan(50).allSatisfy(library -> assertThat(listed)
                    .anySatisfy(part -> assertThat(library).startsWith(part)));
        }
    }
}
