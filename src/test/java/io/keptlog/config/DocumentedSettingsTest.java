// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What can be set is documented: in docs/operating.md under both of its names, what concerns a cluster in docs/cluster.md. */
class DocumentedSettingsTest {
    static Stream<String> settings() {
        return Arrays.stream(KeptlogProperties.class.getRecordComponents())
                .filter(component -> !component.getType().isRecord())
                .map(component -> "keptlog." + kebab(component));
    }

    static Stream<String> clusterSettings() {
        return Arrays.stream(KeptlogProperties.Cluster.class.getRecordComponents())
                .map(DocumentedSettingsTest::kebab);
    }

    private static String kebab(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @ParameterizedTest
    @MethodSource("settings")
    void everySettingIsDocumentedWithItsEnvironmentName(String property) throws Exception {
        String variable = property.replace("-", "_").replace('.', '_').toUpperCase(Locale.ROOT);
        assertThat(Files.readString(Path.of("docs/operating.md")))
                .contains("`" + property + "`")
                .contains("`" + variable + "`");
    }

    @ParameterizedTest
    @MethodSource("clusterSettings")
    void everySettingOfAClusterIsDocumented(String name) throws Exception {
        assertThat(Files.readString(Path.of("docs/cluster.md")))
                .containsPattern("`(keptlog\\.cluster\\.)?" + name + "`");
    }
}
