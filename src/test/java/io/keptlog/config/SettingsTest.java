// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ClassPathResource;

/** Settings: nothing is needed, mistakes stop the start in one line that names them. */
class SettingsTest {
    private static StandardEnvironment environment(Map<String, Object> variables, Map<String, Object> properties) {
        var environment = new StandardEnvironment();
        var sources = environment.getPropertySources();
        sources.replace(
                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        sources.remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
        sources.addFirst(new MapPropertySource("commandLineArgs", properties));
        ConfigurationPropertySources.attach(environment);
        return environment;
    }

    private static KeptlogProperties bind(Map<String, Object> variables, Map<String, Object> properties) {
        return Binder.get(environment(variables, properties)).bindOrCreate("keptlog", KeptlogProperties.class);
    }

    private static String refusal(Map<String, Object> properties) {
        try {
            bind(Map.of(), properties);
        } catch (BindException e) {
            return StartFailure.describe(e).orElseThrow();
        }
        throw new AssertionError("accepted " + properties);
    }

    @Test
    void nothingNeedsToBeSet() {
        KeptlogProperties defaults = bind(Map.of(), Map.of());
        assertThat(defaults.dataDir()).hasToString("data");
        assertThat(defaults.writeTimeout()).isEqualTo(Duration.ofMillis(Limits.WRITE_TIMEOUT_DEFAULT_MILLIS));
        assertThat(defaults.flushAge()).isEqualTo(Duration.ofMillis(Limits.FLUSH_AGE_DEFAULT_MILLIS));
        assertThat(defaults.maxRequestBody().toBytes()).isEqualTo(Limits.REQUEST_BODY_DEFAULT_BYTES);
        assertThat(defaults.bytesInFlight()).isGreaterThanOrEqualTo(Limits.REQUEST_BODY_DEFAULT_BYTES);
        assertThat(defaults.allowedOrigins()).isEmpty();
        assertThat(defaults.rootUsername()).isNull();
        assertThat(defaults.cluster().metadataUri()).isNull();
    }

    @Test
    void theEnvironmentSetsEverythingThatPropertiesSet() {
        KeptlogProperties set = bind(
                Map.of(
                        "KEPTLOG_DATA_DIR", "/elsewhere",
                        "KEPTLOG_WRITE_TIMEOUT", "2s",
                        "KEPTLOG_ROOT_USERNAME", "root",
                        "KEPTLOG_ROOT_PASSWORD", "word",
                        "KEPTLOG_CLUSTER_METADATA_URI", "zk:host:2181"),
                Map.of());
        assertThat(set.dataDir()).hasToString("/elsewhere");
        assertThat(set.writeTimeout()).isEqualTo(Duration.ofSeconds(2));
        assertThat(set.rootUsername()).isEqualTo("root");
        assertThat(set.rootPassword()).isEqualTo("word");
        assertThat(set.cluster().metadataUri()).isEqualTo("zk:host:2181");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "keptlog.write-timeout|1ms|keptlog.write-timeout",
                "keptlog.write-timeout|soon|write-timeout",
                "keptlog.flush-age|0s|keptlog.flush-age",
                "keptlog.max-request-body|10B|keptlog.max-request-body",
                "keptlog.max-request-body|4GB|keptlog.max-request-body",
                "keptlog.max-bytes-in-flight|1MB|keptlog.max-request-body",
                "keptlog.max-writes-in-flight-per-user|0|keptlog.max-writes-in-flight-per-user",
                "keptlog.allowed-origins|example.org/x|keptlog.allowed-origins",
                "keptlog.root-username|root|KEPTLOG_ROOT_PASSWORD",
                "keptlog.root-password|secret-word|KEPTLOG_ROOT_USERNAME"
            })
    void aValueOrRelationThatCannotWorkIsNamedInOneLine(String property, String value, String named) {
        assertThat(refusal(Map.of(property, value)))
                .contains(named)
                .doesNotContain("\n")
                .doesNotContain("secret-word");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "keptlog.data-dir",
                "keptlog.dataDir",
                "keptlog.data_dir",
                "KEPTLOG.DATA-DIR",
                "keptlog.allowed-origins[0]",
                "keptlog.cluster.metadata-uri",
                "server.port"
            })
    void knownPropertiesPassInEverySpelling(String name) {
        assertThatCode(() -> new KnownProperties().check(environment(Map.of(), Map.of(name, "x"))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"KEPTLOG_DATA_DIR", "KEPTLOG_DATADIR", "KEPTLOG_ALLOWED_ORIGINS_0", "IGGY_ROOT_USERNAME", "PATH"
            })
    void knownVariablesPass(String name) {
        assertThatCode(() -> new KnownProperties().check(environment(Map.of(name, "x"), Map.of())))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "keptlog.flush-agee, keptlog.flush-age",
        "keptlog.write.timeout, keptlog.write-timeout",
        "keptlog.durability, keptlog.",
        "keptlog.cluster.metadata-url, keptlog.cluster.metadata-uri"
    })
    void anUnknownPropertyIsRefusedByName(String name, String nearest) {
        assertThatThrownBy(() -> new KnownProperties().check(environment(Map.of(), Map.of(name, "secret-word"))))
                .isInstanceOf(ConfigurationRefused.class)
                .hasMessageContaining(name)
                .hasMessageContaining(nearest)
                .hasMessageNotContaining("secret-word");
    }

    @Test
    void anUnknownVariableIsRefusedByName() {
        assertThatThrownBy(() -> new KnownProperties().check(environment(Map.of("KEPTLOG_DATADIRR", "x"), Map.of())))
                .hasMessageContaining("KEPTLOG_DATADIRR")
                .hasMessageContaining("keptlog.data-dir");
    }

    @Test
    void theRemovedServerWideOffsetSettingIsRefusedByName() {
        for (String name : new String[] {
            "keptlog.consumer-offset-enforce-fsync",
            "keptlog.consumer_offset_enforce_fsync",
            "consumer_offset_enforce_fsync"
        }) {
            assertThatThrownBy(() -> new KnownProperties().check(environment(Map.of(), Map.of(name, "true"))))
                    .hasMessageContaining("consumer_offset_enforce_fsync")
                    .hasMessageContaining("consumer_offset_durability");
        }
        for (String name : new String[] {
            "KEPTLOG_CONSUMER_OFFSET_ENFORCE_FSYNC", "IGGY_SYSTEM_PARTITION_CONSUMER_OFFSET_ENFORCE_FSYNC"
        }) {
            assertThatThrownBy(() -> new KnownProperties().check(environment(Map.of(name, "true"), Map.of())))
                    .hasMessageContaining("consumer_offset_durability");
        }
    }

    @Test
    void whatPeopleCanPutRightIsOneLineAndADefectIsNot() {
        assertThat(StartFailure.describe(new IllegalStateException(
                        "outer", new UncheckedIOException(new AccessDeniedException("/data")))))
                .contains("Cannot use /data: permission denied.");
        assertThat(StartFailure.describe(
                        new IllegalStateException(new KeptlogException(ErrorCode.INVALID_CONFIGURATION, "format 999"))))
                .contains("format 999");
        assertThat(StartFailure.describe(new NullPointerException("defect"))).isEmpty();
    }

    @Test
    void theJsonLimitsOfTheConfigurationAreThoseOfTheDomain() throws Exception {
        var yaml = new YamlPropertySourceLoader()
                .load("application", new ClassPathResource("application.yaml"))
                .getFirst();
        String read = "spring.jackson.factory.constraints.read.";
        assertThat(yaml.getProperty(read + "max-nesting-depth")).isEqualTo(Limits.JSON_DEPTH_MAX);
        assertThat(yaml.getProperty(read + "max-number-length")).isEqualTo(Limits.JSON_NUMBER_MAX_CHARS);
    }

    @Test
    void requestsAndTheFinalSyncTogetherStayWithinTheWholeStop() throws Exception {
        var yaml = new YamlPropertySourceLoader()
                .load("application", new ClassPathResource("application.yaml"))
                .getFirst();
        var requests = DurationStyle.detectAndParse(
                String.valueOf(yaml.getProperty("spring.lifecycle.timeout-per-shutdown-phase")));
        assertThat(requests.toMillis() + StoreLifecycle.DRAIN_MILLIS).isLessThan(Limits.SHUTDOWN_MAX_MILLIS);
    }
}
