// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import io.keptlog.domain.RecoveryReport;
import io.keptlog.storage.RecoveryReports;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Recovery reports of all brokers: one value of the metadata store, changed by compare-and-set; the oldest are dropped first. */
public final class ClusterReports implements RecoveryReports {
    private static final String PATH = Metadata.ROOT + "/reports";
    /** A report has a few hundred bytes, the value at most a million. */
    private static final int REPORTS_MAX = 1_000;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Metadata metadata;

    public ClusterReports(Metadata metadata) {
        this.metadata = metadata;
    }

    @Override
    public void add(RecoveryReport report) {
        metadata.create(PATH, JSON.writeValueAsBytes(List.of()));
        while (true) {
            Metadata.Value value = metadata.get(PATH);
            if (value != null) {
                var reports = new ArrayList<>(parse(value));
                reports.add(report);
                while (reports.size() > REPORTS_MAX) {
                    reports.removeFirst();
                }
                if (metadata.replace(PATH, JSON.writeValueAsBytes(reports), value.version())
                        .isPresent()) {
                    return;
                }
            }
        }
    }

    @Override
    public List<RecoveryReport> list() {
        Metadata.Value value = metadata.get(PATH);
        return value == null ? List.of() : parse(value);
    }

    private static List<RecoveryReport> parse(Metadata.Value value) {
        return JSON.readValue(value.bytes(), new TypeReference<List<RecoveryReport>>() {});
    }
}
