// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.segment.recovery.CutListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** A segment store on a directory, with what it needs around it kept in memory: a stand-in for catalog, epoch and reports. */
final class StoreFixture implements AutoCloseable {
    final FileLayer files;
    final Path dataDir;
    final List<PartitionSpec> catalog = new ArrayList<>();
    final List<Removal> removals = new ArrayList<>();
    final List<RecoveryReport> reports = new CopyOnWriteArrayList<>();
    final AtomicLong epoch = new AtomicLong();
    final Counts counts = new Counts();
    SegmentStoreSettings settings = SegmentStoreSettings.defaults();
    InstantSource clock = InstantSource.system();
    private final Random random = new Random(42);
    private int nextPartition;
    boolean catalogComplete = true;
    private SegmentStore store;

    StoreFixture(FileLayer files, Path dataDir) {
        this.files = files;
        this.dataDir = dataDir;
    }

    /** What the store told. */
    static final class Counts implements StoreObserver {
        final List<SyncReason> syncs = new CopyOnWriteArrayList<>();
        final AtomicInteger rolls = new AtomicInteger();
        final AtomicInteger noSpace = new AtomicInteger();
        final List<String> fenced = new CopyOnWriteArrayList<>();

        @Override
        public void synced(SyncReason reason, long nanos, int waitersReleased, boolean failed) {
            syncs.add(reason);
        }

        @Override
        public void fenced(String component) {
            fenced.add(component);
        }

        @Override
        public void rolled() {
            rolls.incrementAndGet();
        }

        @Override
        public void noSpace() {
            noSpace.incrementAndGet();
        }
    }

    SegmentStore store() {
        if (store == null) {
            epoch.incrementAndGet();
            try {
                files.createDirectories(dataDir);
                files.syncDirectory(dataDir.getParent());
                store = SegmentStore.open(
                        environment(),
                        settings,
                        new CatalogView(List.copyOf(catalog), List.copyOf(removals), catalogComplete));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return store;
    }

    private StoreEnvironment environment() {
        EpochSource epochs = new EpochSource() {
            @Override
            public long epoch() {
                return epoch.get();
            }

            @Override
            public long raiseAbove(long seen) {
                return epoch.accumulateAndGet(seen + 1, Math::max);
            }
        };
        RecoveryReports kept = new RecoveryReports() {
            @Override
            public void add(RecoveryReport report) {
                reports.add(report);
            }

            @Override
            public List<RecoveryReport> list() {
                return List.copyOf(reports);
            }
        };
        return new StoreEnvironment(
                dataDir,
                files,
                clock,
                Thread.ofPlatform().daemon().name("segment-store-", 0).factory(),
                epochs,
                kept,
                CutListener.NONE,
                counts);
    }

    PartitionSpec newSpec(LogOptions options) {
        return new PartitionSpec(new PartitionRef(0, 0, nextPartition++), random.nextLong(), options);
    }

    PartitionLog create(LogOptions options) {
        return create(newSpec(options));
    }

    PartitionLog create(PartitionSpec spec) {
        store().prepare(List.of(spec));
        catalog.add(spec);
        store().open(List.of(spec));
        return store().find(spec.ref());
    }

    void delete(PartitionLog log) {
        Removal removal = new Removal(log.spec().ref(), log.spec().incarnation());
        catalog.remove(log.spec());
        removals.add(removal);
        List<Removal> gone = store().remove(List.of(removal));
        removals.removeAll(gone);
    }

    Path directory(PartitionLog log) {
        return io.keptlog.storage.segment.format.PartitionPaths.inPlace(
                        dataDir, log.spec().ref())
                .directory();
    }

    /** Ends the store as it is and opens it anew. */
    SegmentStore restart() {
        close();
        return store();
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
            store = null;
        }
    }
}
