// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.metadata;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.keptlog.domain.KeptReport;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.storage.RecoveryReports;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Recovery reports of all brokers: one value of the metadata store, changed by compare-and-set; the oldest are dropped first. */
public final class ClusterReports implements RecoveryReports {
    private static final String PATH = Metadata.ROOT + "/reports";
    /** A report has a few hundred bytes, the value at most a million. */
    private static final int REPORTS_MAX = 1_000;

    private static final JsonMapper JSON = JsonMapper.builder()
            .changeDefaultVisibility(v -> v.withIsGetterVisibility(Visibility.NONE))
            .build();

    private final Metadata metadata;

    public ClusterReports(Metadata metadata) {
        this.metadata = metadata;
    }

    @Override
    public void add(RecoveryReport report) {
        change(reports -> {
            long id = reports.isEmpty() ? 0 : reports.getLast().id() + 1;
            reports.add(new KeptReport(id, report, null));
            while (reports.size() > REPORTS_MAX) {
                reports.removeFirst();
            }
        });
    }

    /** @param change is made again when another broker was faster */
    private void change(Consumer<List<KeptReport>> change) {
        metadata.create(PATH, JSON.writeValueAsBytes(List.of()));
        while (true) {
            Metadata.Value value = metadata.get(PATH);
            if (value != null) {
                var reports = new ArrayList<>(parse(value));
                change.accept(reports);
                if (metadata.replace(PATH, JSON.writeValueAsBytes(reports), value.version())
                        .isPresent()) {
                    return;
                }
            }
        }
    }

    @Override
    public List<RecoveryReport> list() {
        return kept().stream().map(KeptReport::report).toList();
    }

    @Override
    public List<KeptReport> kept() {
        Metadata.Value value = metadata.get(PATH);
        return value == null ? List.of() : parse(value);
    }

    @Override
    public @Nullable KeptReport resolve(long id, Instant time) {
        var resolved = new AtomicReference<@Nullable KeptReport>();
        change(reports -> {
            resolved.set(null);
            for (int i = 0; i < reports.size(); i++) {
                KeptReport kept = reports.get(i);
                if (kept.id() == id) {
                    KeptReport now = kept.resolved() == null ? new KeptReport(id, kept.report(), time) : kept;
                    reports.set(i, now);
                    resolved.set(now);
                }
            }
        });
        return resolved.get();
    }

    private static List<KeptReport> parse(Metadata.Value value) {
        return JSON.readValue(value.bytes(), new TypeReference<List<KeptReport>>() {});
    }
}
