// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.metrics.StoreMeters;
import io.keptlog.service.HealthService;
import io.keptlog.service.catalog.Removals;
import io.keptlog.service.retention.RetentionService;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import io.keptlog.storage.QuarantineFiles;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.journal.JournalCatalog;
import io.keptlog.storage.journal.JournalEnvironment;
import io.keptlog.storage.journal.JournalOffsetStore;
import io.keptlog.storage.journal.JournalReports;
import io.keptlog.storage.segment.CatalogView;
import io.keptlog.storage.segment.EpochSource;
import io.keptlog.storage.segment.Scrub;
import io.keptlog.storage.segment.SegmentStore;
import io.keptlog.storage.segment.SegmentStoreSettings;
import io.keptlog.storage.segment.StoreEnvironment;
import io.keptlog.storage.segment.recovery.QuarantineDirectory;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.DependsOn;

/**
 * The store of one node, opened in its order: data directory (lock, format, epoch), reports, catalog, offsets, then every log with its
 * recovery, all before the first request. When the start fails half-way, what was opened is closed again in reverse order.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(SingleNode.class)
class StoreWiring {
    @Bean
    FileLayer fileLayer() {
        return FileLayers.system();
    }

    @Bean
    @DependsOn("recentLog")
    DataDirectory dataDirectory(FileLayer files, KeptlogProperties properties, InstantSource clock) {
        return DataDirectory.open(files, properties.dataDir(), clock);
    }

    @Bean
    JournalEnvironment journalEnvironment(StoreMeters meters, InstantSource clock) {
        return new JournalEnvironment(
                Thread.ofPlatform().daemon().name("journal-", 0).factory(), clock, meters);
    }

    @Bean
    JournalReports recoveryReports(DataDirectory data, JournalEnvironment environment, InstantSource clock) {
        JournalReports reports = JournalReports.open(data, environment);
        for (String damage : data.damage()) {
            reports.add(new RecoveryReport(
                    clock.instant(),
                    null,
                    0,
                    RecoveryReport.Found.JOURNAL_DAMAGE,
                    RecoveryReport.Action.REPAIRED,
                    -1,
                    -1,
                    -1,
                    -1,
                    false,
                    null,
                    damage));
        }
        return reports;
    }

    @Bean
    JournalCatalog catalog(DataDirectory data, JournalReports reports, JournalEnvironment environment) {
        return JournalCatalog.open(data, reports, environment);
    }

    @Bean
    JournalOffsetStore offsetStore(
            DataDirectory data, JournalReports reports, JournalEnvironment environment, KeptlogProperties properties) {
        return JournalOffsetStore.open(
                data, reports, environment, properties.flushAge().toMillis());
    }

    @Bean
    SegmentStore partitionLogs(
            DataDirectory data,
            JournalReports reports,
            JournalCatalog catalog,
            JournalOffsetStore offsets,
            StoreMeters meters,
            InstantSource clock,
            KeptlogProperties properties)
            throws IOException {
        CatalogState state = catalog.state();
        var environment = new StoreEnvironment(
                data.root(),
                data.files(),
                clock,
                Thread.ofPlatform().daemon().name("segment-store-", 0).factory(),
                EpochSource.of(data),
                reports,
                new OffsetClamp(offsets, reports, clock),
                meters);
        return SegmentStore.open(
                environment,
                SegmentStoreSettings.defaults()
                        .withFlushAgeMillis((int) properties.flushAge().toMillis()),
                new CatalogView(
                        state.streams().values().stream()
                                .map(StreamEntry::topics)
                                .flatMap(topics -> topics.values().stream())
                                .map(TopicEntry::specs)
                                .flatMap(List::stream)
                                .toList(),
                        List.copyOf(state.removals()),
                        catalog.faults().isEmpty()));
    }

    @Bean
    QuarantineFiles quarantineFiles(DataDirectory data) {
        return new QuarantineDirectory(data.files(), data.root());
    }

    /** Read by nobody when its rate is 0. */
    @Bean(initMethod = "start", destroyMethod = "close")
    ScrubBean scrub(
            PartitionLogs logs,
            DataDirectory data,
            JournalReports reports,
            StoreMeters meters,
            InstantSource clock,
            KeptlogProperties properties) {
        long rate = properties.scrub().rate().toBytes();
        return new ScrubBean(
                rate == 0
                        ? null
                        : new Scrub(
                                logs,
                                data.files(),
                                reports,
                                meters,
                                clock,
                                Thread.ofPlatform().daemon().name("scrub").factory(),
                                rate,
                                properties.scrub().every().toMillis()));
    }

    /** A scrub, or none. */
    record ScrubBean(@Nullable Scrub scrub) implements AutoCloseable {
        void start() {
            if (scrub != null) {
                scrub.start();
            }
        }

        @Override
        public void close() {
            if (scrub != null) {
                scrub.close();
            }
        }
    }

    @Bean
    StopOutcome stopOutcome() {
        return new StopOutcome();
    }

    @Bean
    StoreLifecycle storeLifecycle(
            RetentionService retention,
            Removals removals,
            PartitionLogs logs,
            OffsetStore offsets,
            Catalog catalog,
            ScrubBean scrub,
            StopOutcome outcome) {
        return new StoreLifecycle(List.of(scrub, retention, removals), logs, offsets, catalog, outcome);
    }

    @Bean
    SmartInitializingSingleton storeGauges(StoreMeters meters, PartitionLogs logs, HealthService health) {
        return () -> meters.watch(
                logs::atRisk, () -> logs.all().size(), () -> health.faults().size());
    }
}
