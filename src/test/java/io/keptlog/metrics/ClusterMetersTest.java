// SPDX-License-Identifier: Apache-2.0
package io.keptlog.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.Durability;
import io.keptlog.domain.cluster.BookieSignals;
import io.keptlog.domain.cluster.BookieSignals.Status;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.StreamDepth;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterMetersTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([A-Za-z_]+)` \\| ([a-z]+) \\| ([^|]*) \\|");
    private static final Pattern FAMILY = Pattern.compile("(?m)^# TYPE (\\S+) (\\S+)$");
    private static final Pattern SAMPLE = Pattern.compile("(?m)^([A-Za-z_]+)(?:\\{([^}]*)})? ");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");
    private static final String SINGLE = "_max";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final ClusterMeters meters = new ClusterMeters(registry);

    @BeforeEach
    void shown() {
        meters.watchPending(() -> 7);
        meters.showStreams(List.of(new StreamDepth(7, new DepthCounts(100, 9, 5, 3, 1), 20)));
        meters.showBookies(List.of(
                new BookieView(
                        "b1:3181",
                        true,
                        BookieView.JournalSync.SYNCED,
                        new BookieSignals(Status.UP, Map.of("0.99", 6.5), 2L, 3L, null),
                        1.5,
                        4,
                        List.of(7),
                        "/a"),
                new BookieView("b2:3181", false, BookieView.JournalSync.UNVERIFIED)));
    }

    @Test
    void theTableOfAClustersMetricsIsWhatIsTold() throws Exception {
        var service = new ServiceMeters(registry);
        Set<String> ofOneNode = new TreeSet<>();
        FAMILY.matcher(new PrometheusScrape(ServiceMeters::new).text())
                .results()
                .forEach(f -> ofOneNode.add(f.group(1)));
        service.alsoUnderPulsarsName();
        service.produced(Durability.PERSISTED, 1, 1, 1_500_000);
        Map<String, String> told = told(registry.scrape());
        told.keySet().removeAll(ofOneNode);
        assertThat(documented()).isEqualTo(told);
    }

    /** What a registry tells with only these meters. */
    private record PrometheusScrape(java.util.function.Consumer<PrometheusMeterRegistry> meters) {
        String text() {
            var alone = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
            meters.accept(alone);
            return alone.scrape();
        }
    }

    private static Map<String, String> told(String scraped) {
        Map<String, String> kinds = new TreeMap<>();
        FAMILY.matcher(scraped)
                .results()
                .filter(f -> !f.group(1).endsWith(SINGLE))
                .forEach(f -> kinds.put(f.group(1), f.group(2)));
        Map<String, Set<String>> labels = new TreeMap<>();
        SAMPLE.matcher(scraped).results().forEach(sample -> LABEL.matcher(String.valueOf(sample.group(2)))
                .results()
                .map(label -> label.group(1))
                .filter(label -> !"summary".equals(kinds.get(sample.group(1))))
                .forEach(label -> labels.computeIfAbsent(sample.group(1), n -> new TreeSet<>())
                        .add(label)));
        kinds.replaceAll((name, kind) -> kind + " " + labels.getOrDefault(name, Set.of()));
        return kinds;
    }

    private static Map<String, String> documented() throws Exception {
        String section = Files.readString(Path.of("docs/operating.md"))
                .split("### In a cluster")[1]
                .split("monitoring/grafana")[0];
        Map<String, String> rows = new TreeMap<>();
        ROW.matcher(section).results().forEach(row -> {
            Set<String> labels = new TreeSet<>();
            Pattern.compile("`([a-z_]+)`").matcher(row.group(3)).results().forEach(l -> labels.add(l.group(1)));
            rows.put(row.group(1), row.group(2) + " " + labels);
        });
        return rows;
    }

    @Test
    void theNumbersAreThoseThatWereTold() {
        assertThat(registry.scrape().lines())
                .contains(
                        "keptlog_stream_below_write_quorum_messages{stream=\"7\"} 9.0",
                        "keptlog_stream_at_ack_quorum_messages{stream=\"7\"} 5.0",
                        "keptlog_stream_below_ack_quorum_messages{stream=\"7\"} 3.0",
                        "keptlog_stream_lost_messages{stream=\"7\"} 1.0",
                        "keptlog_stream_unaudited_messages{stream=\"7\"} 20.0",
                        "keptlog_bookie_status{bookie=\"b1:3181\"} 1.0",
                        "keptlog_bookie_status{bookie=\"b2:3181\"} NaN",
                        "keptlog_bookie_answers{bookie=\"b2:3181\"} 0.0",
                        "keptlog_bookie_journal_sync_seconds{bookie=\"b1:3181\",quantile=\"0.99\"} 0.0065",
                        "keptlog_bookie_add_seconds{bookie=\"b1:3181\"} 0.0015",
                        "keptlog_bookie_decides{bookie=\"b1:3181\",stream=\"7\"} 1.0",
                        "keptlog_under_replicated_ledgers 4.0",
                        "bookie_SERVER_STATUS{bookie=\"b1:3181\"} 1.0",
                        "bookie_journal_JOURNAL_SYNC{bookie=\"b1:3181\",quantile=\"0.99\",success=\"true\"} 6.5",
                        "bookie_journal_JOURNAL_FORCE_WRITE_QUEUE_SIZE{bookie=\"b1:3181\"} 2.0",
                        "bookkeeper_server_ADD_ENTRY_IN_PROGRESS{bookie=\"b1:3181\"} 3.0",
                        "auditor_NUM_UNDER_REPLICATED_LEDGERS 4.0");
    }

    @Test
    void aBookieAndAStreamThatAreGoneAreNotToldAnyMore() {
        meters.showStreams(List.of());
        meters.showBookies(List.of());
        assertThat(registry.scrape()).doesNotContain("b1:3181").doesNotContain("stream=\"7\"");
    }
}
