// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

/** The table of metrics in docs/operating.md, the dashboard and the alerts speak of what the server really tells. */
@ServerTest
class DocumentedMetersTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(keptlog_[a-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\|");
    private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([a-z_]+)(?:\\{([^}]*)})? ");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");
    private static final Pattern NAMED = Pattern.compile("\\b(?:keptlog|http|jvm|process|tomcat)_[a-z_]+\\b");
    /** Labels that belong to a kind of metric. */
    private static final Set<String> OF_KINDS = Set.of("le", "quantile");

    private static final String MAX = "_max";

    private final MockMvc mvc;
    private String scraped = "";

    @Autowired
    DocumentedMetersTest(MockMvc mvc) {
        this.mvc = mvc;
    }

    @BeforeEach
    void scrape() {
        Api root = Api.root(mvc);
        if (root.get("/streams/metered").response().getStatus() != 200) {
            root.post("/streams", "{\"name\":\"metered\"}").expect(200);
            root.post(
                            "/streams/metered/topics",
                            "{\"name\":\"t\",\"partitions_count\":1,\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0}")
                    .expect(200);
        }
        await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            scraped = root.get("/actuator/prometheus").expect(200).body();
            assertThat(scraped)
                    .contains("keptlog_partition_at_risk_messages{")
                    .contains("http_server_requests_seconds");
        });
    }

    /** Kind and labels by name, of ours. */
    private Map<String, String> told() {
        Map<String, String> kinds = new TreeMap<>();
        FAMILY.matcher(scraped)
                .results()
                .filter(family -> family.group(1).startsWith("keptlog_"))
                .filter(family -> !family.group(1).endsWith(MAX))
                .forEach(family -> kinds.put(family.group(1), family.group(2)));
        Map<String, Set<String>> labels = new TreeMap<>();
        SAMPLE.matcher(scraped).results().forEach(sample -> {
            String name = sample.group(1).replaceFirst("_(bucket|count|sum)$", "");
            String family = kinds.containsKey(sample.group(1)) ? sample.group(1) : name;
            LABEL.matcher(String.valueOf(sample.group(2)))
                    .results()
                    .map(label -> label.group(1))
                    .forEach(label -> {
                        if (!OF_KINDS.contains(label)) {
                            labels.computeIfAbsent(family, f -> new TreeSet<>()).add(label);
                        }
                    });
        });
        kinds.replaceAll((name, kind) -> kind + " " + labels.getOrDefault(name, Set.of()));
        return kinds;
    }

    private static Map<String, String> documented() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        // What only a cluster has is compared by ClusterMetersTest.
        Matcher row = ROW.matcher(Files.readString(Path.of("docs/operating.md")).split("### In a cluster")[0]);
        while (row.find()) {
            Set<String> labels = new TreeSet<>();
            Pattern.compile("`([a-z_]+)`").matcher(row.group(3)).results().forEach(l -> labels.add(l.group(1)));
            rows.put(row.group(1), row.group(2) + " " + labels);
        }
        return rows;
    }

    @Test
    void theTableOfMetricsIsWhatIsTold() throws IOException {
        assertThat(documented()).isEqualTo(told());
    }

    @ParameterizedTest
    @ValueSource(strings = {"docs/monitoring/grafana-dashboard.json", "docs/monitoring/prometheus-rules.yaml"})
    void dashboardAndAlertsNameOnlyMetricsThatAreTold(String file) throws IOException {
        Set<String> families = new TreeSet<>();
        FAMILY.matcher(scraped).results().map(family -> family.group(1)).forEach(families::add);
        Set<String> named = new TreeSet<>();
        NAMED.matcher(Files.readString(Path.of(file)))
                .results()
                .map(MatchResult::group)
                .forEach(named::add);
        assertThat(named).hasSizeGreaterThan(8).allSatisfy(name -> assertThat(families)
                .containsAnyOf(name, name.replaceFirst("_(bucket|count|sum)$", "")));
    }
}
