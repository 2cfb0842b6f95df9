// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.journal.JournalCatalog;
import io.keptlog.storage.journal.JournalOffsetStore;
import io.keptlog.storage.journal.JournalReports;
import io.keptlog.storage.journal.SmallJournals;
import io.keptlog.storage.segment.CatalogView;
import io.keptlog.storage.segment.EpochSource;
import io.keptlog.storage.segment.SegmentStore;
import io.keptlog.storage.segment.SegmentStoreSettings;
import io.keptlog.storage.segment.StoreEnvironment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** The store of one node, opened and stopped as the server does it. */
final class Node {
    static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final int SYNC_THREADS = 4;

    final DataDirectory data;
    final JournalReports reports;
    final JournalCatalog catalog;
    final JournalOffsetStore offsets;
    final SegmentStore logs;

    private Node(FileLayer files, Path directory, ThreadFactory threads, InstantSource clock, int flushAgeMillis)
            throws IOException {
        var journals = new SmallJournals(threads, clock);
        data = DataDirectory.open(files, directory, clock);
        reports = journals.reports(data);
        catalog = journals.catalog(data, reports);
        offsets = journals.offsets(data, reports, flushAgeMillis);
        var environment = new StoreEnvironment(
                data.root(),
                files,
                clock,
                threads,
                EpochSource.of(data),
                reports,
                (partition, first, end) -> offsets.clamp(partition, first, end),
                StoreObserver.NONE);
        CatalogState state = catalog.state();
        logs = SegmentStore.open(
                environment,
                new SegmentStoreSettings(flushAgeMillis, SYNC_THREADS, 60_000, 6, 2),
                new CatalogView(
                        specs(state),
                        List.copyOf(state.removals()),
                        catalog.faults().isEmpty()));
    }

    /** In a simulated process. */
    static Node open(ProcessFiles files, Scheduler process, int flushAgeMillis) throws IOException {
        InstantSource clock = () -> Instant.ofEpochSecond(1_800_000_000L).plusNanos(process.nanos());
        return new Node(files, DATA, process::thread, clock, flushAgeMillis);
    }

    /** In this process, on a real disk. */
    static Node open(FileLayer files, Path directory) throws IOException {
        ThreadFactory threads = Thread.ofPlatform().daemon().name("node-", 0).factory();
        return new Node(files, directory, threads, InstantSource.system(), 60_000);
    }

    static List<PartitionSpec> specs(CatalogState state) {
        return state.streams().values().stream()
                .flatMap(s -> s.topics().values().stream())
                .flatMap(t -> t.specs().stream())
                .toList();
    }

    /**
     * The steps of a graceful stop.
     *
     * @return whether it was clean
     */
    boolean stop() {
        boolean clean = logs.drain(Deadline.inMillis(3_000)).isEmpty();
        clean &= closed(offsets);
        clean &= closed(catalog);
        clean &= offsets.faults().isEmpty() && catalog.faults().isEmpty();
        if (!clean) {
            logs.withholdCleanMark();
        }
        logs.close();
        closed(reports);
        data.close();
        return clean;
    }

    private static boolean closed(AutoCloseable part) {
        try {
            part.close();
            return true;
        } catch (KeptlogException e) {
            return false;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
