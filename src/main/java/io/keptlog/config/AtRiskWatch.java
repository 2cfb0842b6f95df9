// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.Limits;
import io.keptlog.metrics.AtRiskGauges;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.PartitionLogs;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Tells the meters which partitions there are, every few seconds when that has changed. */
final class AtRiskWatch implements AutoCloseable {
    private final PartitionLogs logs;
    private final AtRiskGauges gauges;
    private final ScheduledExecutorService schedule = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("at-risk-gauges").factory());
    private Set<PartitionLog> shown = Set.of();

    AtRiskWatch(PartitionLogs logs, AtRiskGauges gauges) {
        this.logs = logs;
        this.gauges = gauges;
    }

    void start() {
        var unused =
                schedule.scheduleWithFixedDelay(this::look, 0, Limits.AT_RISK_GAUGES_EVERY_SECONDS, TimeUnit.SECONDS);
    }

    private void look() {
        Set<PartitionLog> now = Set.copyOf(logs.all());
        if (!now.equals(shown)) {
            List<AtRiskGauges.Source> sources = now.stream()
                    .map(log -> new AtRiskGauges.Source(
                            log.spec().ref(), () -> log.status().atRisk()))
                    .collect(Collectors.toList());
            gauges.show(sources);
            shown = now;
        }
    }

    @Override
    public void close() {
        schedule.shutdownNow();
    }
}
