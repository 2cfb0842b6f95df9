// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.Limits;
import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.domain.disk.SyncLatency;
import io.keptlog.metrics.AtRiskGauges;
import io.keptlog.metrics.StoreMeters;
import io.keptlog.service.RecoveryService;
import io.keptlog.service.system.DiskWatch;
import io.keptlog.service.system.ServerDurability;
import io.keptlog.storage.PartitionLogs;
import io.keptlog.storage.QuarantineFiles;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.truth.TruthTest;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the server knows of its disk, of what recovery has left, and of what is at risk; in a cluster there is no disk of its own. */
@Configuration(proxyBeanMethods = false)
class TruthWiring {
    private static final double NANOS_PER_SECOND = 1e9;

    @Bean
    DiskWatch diskWatch(ObjectProvider<DataDirectory> data, InstantSource clock) {
        Optional<Supplier<DiskTruth>> test = Optional.ofNullable(data.getIfAvailable())
                .map(directory -> new TruthTest(directory.files(), directory.root(), clock)::run);
        return new DiskWatch(
                test, clock, Thread.ofPlatform().daemon().name("disk-watch").factory());
    }

    /** The look goes on beside the rest of the start; at its end little is left to wait for. */
    @Bean
    SmartInitializingSingleton firstLookAtTheDisk(DiskWatch disk) {
        return () -> disk.awaitFirst(Duration.ofMillis(Limits.TRUTH_TEST_START_MILLIS));
    }

    @Bean
    RecoveryService recoveryService(
            RecoveryReports reports, ObjectProvider<QuarantineFiles> quarantine, InstantSource clock) {
        return new RecoveryService(reports, Optional.ofNullable(quarantine.getIfAvailable()), clock);
    }

    @Bean
    ServerDurability serverDurability(DiskWatch disk, PartitionLogs logs, RecoveryService recovery) {
        return new ServerDurability(disk, logs, recovery);
    }

    @Bean(initMethod = "start")
    AtRiskWatch atRiskWatch(PartitionLogs logs, MeterRegistry registry) {
        return new AtRiskWatch(logs, new AtRiskGauges(registry));
    }

    @Bean
    SmartInitializingSingleton recoveryGauges(StoreMeters meters, RecoveryService recovery, DiskWatch disk) {
        return () -> meters.watchRecovery(
                () -> recovery.open().size(),
                recovery::quarantineBytes,
                () -> disk.last()
                        .map(DiskTruth::sync)
                        .map(SyncLatency::p50Nanos)
                        .map(nanos -> nanos / NANOS_PER_SECOND)
                        .orElse(Double.NaN),
                () -> disk.last().map(truth -> truth.doubts().size()).orElse(0));
    }
}
