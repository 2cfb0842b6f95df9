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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;

/** The store of one node, opened and stopped as the server does it. */
final class Node {
    static final Path DATA = SimulatedFiles.ROOT.resolve("data");

    final DataDirectory data;
    final JournalReports reports;
    final JournalCatalog catalog;
    final JournalOffsetStore offsets;
    final SegmentStore logs;
    /** Logs that took no more writes because of a sync or write that failed. */
    final List<String> fences = new ArrayList<>();

    private Node(FileLayer files, Path directory, ThreadFactory threads, InstantSource clock, Load load)
            throws IOException {
        var journals = new SmallJournals(threads, clock);
        data = DataDirectory.open(files, directory, clock);
        reports = journals.reports(data);
        catalog = journals.catalog(data, reports);
        offsets = journals.offsets(data, reports, load.flushAgeMillis);
        var environment = new StoreEnvironment(
                data.root(),
                files,
                clock,
                threads,
                EpochSource.of(data),
                reports,
                (partition, first, end) -> offsets.clamp(partition, first, end),
                new StoreObserver() {
                    @Override
                    public void fenced(String component) {
                        fences.add(component);
                    }
                });
        CatalogState state = catalog.state();
        logs = SegmentStore.open(
                environment,
                new SegmentStoreSettings(load.flushAgeMillis, load.syncThreads, 60_000, 6, 2),
                new CatalogView(
                        specs(state),
                        List.copyOf(state.removals()),
                        catalog.faults().isEmpty()));
    }

    /**
     * How syncs are made.
     *
     * @param syncThreads with few of them, syncs wait for each other
     */
    record Load(int flushAgeMillis, int syncThreads) {}

    /** In a simulated process. */
    static Node open(ProcessFiles files, Scheduler process, Load load) throws IOException {
        InstantSource clock = () -> Instant.ofEpochSecond(1_800_000_000L).plusNanos(process.nanos());
        return new Node(files, DATA, process::thread, clock, load);
    }

    /** In this process, on a real disk. */
    static Node open(FileLayer files, Path directory) throws IOException {
        ThreadFactory threads = Thread.ofPlatform().daemon().name("node-", 0).factory();
        return new Node(files, directory, threads, InstantSource.system(), new Load(60_000, 4));
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

    /** Closes everything although syncs are wanted, queued or running; nothing is said about them, so there is no clean mark. */
    void close() {
        logs.withholdCleanMark();
        logs.close();
        closed(offsets);
        closed(catalog);
        closed(reports);
        data.close();
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
