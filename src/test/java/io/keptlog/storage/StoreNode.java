// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.TopicOptions;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.TestBatches.Read;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.journal.JournalCatalog;
import io.keptlog.storage.journal.JournalEnvironment;
import io.keptlog.storage.journal.JournalOffsetStore;
import io.keptlog.storage.journal.JournalReports;
import io.keptlog.storage.segment.CatalogView;
import io.keptlog.storage.segment.EpochSource;
import io.keptlog.storage.segment.SegmentStore;
import io.keptlog.storage.segment.SegmentStoreSettings;
import io.keptlog.storage.segment.StoreEnvironment;
import io.keptlog.storage.segment.recovery.CutListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** Everything that a server keeps on disk, opened in its order, without the server. One stream, a topic for each partition that is made. */
public final class StoreNode implements AutoCloseable {
    /** So that nothing is synced by age. */
    private static final int FLUSH_AGE_MILLIS = 3_600_000;

    private static final int SEGMENT_BYTES = 4096;

    private final DataDirectory data;
    public final JournalReports reports;
    public final JournalCatalog catalog;
    private final JournalOffsetStore offsets;
    public final SegmentStore store;

    public StoreNode(FileLayer files, Path root) {
        InstantSource clock = InstantSource.system();
        var journals = new JournalEnvironment(Thread.ofPlatform().daemon().factory(), clock, StoreObserver.NONE);
        data = DataDirectory.open(files, root, clock);
        reports = JournalReports.open(data, journals);
        catalog = JournalCatalog.open(data, reports, journals);
        offsets = JournalOffsetStore.open(data, reports, journals, FLUSH_AGE_MILLIS);
        var environment = new StoreEnvironment(
                data.root(),
                files,
                clock,
                Thread.ofPlatform().daemon().factory(),
                EpochSource.of(data),
                reports,
                CutListener.NONE,
                StoreObserver.NONE);
        try {
            store = SegmentStore.open(
                    environment,
                    SegmentStoreSettings.defaults().withFlushAgeMillis(FLUSH_AGE_MILLIS),
                    new CatalogView(specs(), List.copyOf(catalog.state().removals()), true));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public List<PartitionSpec> specs() {
        return catalog.state().streams().values().stream()
                .flatMap(stream -> stream.topics().values().stream())
                .flatMap(topic -> topic.specs().stream())
                .toList();
    }

    /** Segments of 4 KiB, so that a few batches fill one. */
    public PartitionLog create(Durability durability, Random random) {
        return create(durability, random, SEGMENT_BYTES);
    }

    public PartitionLog create(Durability durability, Random random, long segmentBytes) {
        if (catalog.state().streams().isEmpty()) {
            catalog.change(s -> new CatalogChange.StreamCreated(0, 1, "s", Map.of()));
        }
        var options = new TopicOptions(
                Compression.NONE,
                TopicOptions.NEVER,
                TopicOptions.UNLIMITED,
                segmentBytes,
                durability,
                Durability.REPLICATED,
                1024,
                1 << 20,
                false,
                Set.of());
        int id = catalog.state().streams().get(0).topics().size();
        var made = new CatalogChange.TopicCreated(
                0, id, 1, "t" + id, options, List.of(new PartitionEntry(0, 1, random.nextLong())));
        PartitionSpec spec = new PartitionSpec(
                new io.keptlog.domain.PartitionRef(0, id, 0),
                made.partitions().getFirst().incarnation(),
                options.logOptions());
        catalog.change(s -> made, change -> store.prepare(List.of(spec)));
        store.open(List.of(spec));
        return store.find(spec.ref());
    }

    /** Appends batches of random messages and says what was appended. */
    public static List<Read> append(PartitionLog log, int batches, Random random) {
        List<Read> appended = new ArrayList<>();
        for (int i = 0; i < batches; i++) {
            List<byte[]> records = TestBatches.randomRecords(random, 4, 500);
            long offset = log.append(TestBatches.batch(records), Deadline.inMillis(10_000))
                    .baseOffset();
            for (byte[] record : records) {
                appended.add(new Read(offset++, TestBatches.text(record)));
            }
        }
        return appended;
    }

    public static void persist(PartitionLog log) {
        log.tail().awaitPersisted(log.status().endOffset(), Deadline.inMillis(10_000));
    }

    /** Everything that can be read, and the gaps that the reads met. */
    public static List<Read> readAll(PartitionLog log, List<io.keptlog.domain.Gap> gaps) {
        List<Read> all = new ArrayList<>();
        long from = 0;
        while (true) {
            try (Slice slice = log.read(from, 7, 1 << 20, Visibility.TOPIC)) {
                if (slice.gap() != null) {
                    gaps.add(slice.gap());
                }
                if (slice.count() == 0) {
                    return all;
                }
                all.addAll(TestBatches.messages(slice));
                from = slice.nextOffset();
            }
        }
    }

    /** Graceful: leaves the clean mark. */
    public void stop() {
        if (!store.drain(Deadline.inMillis(10_000)).isEmpty()) {
            throw new AssertionError("not all was synced");
        }
        close();
    }

    @Override
    public void close() {
        store.close();
        offsets.close();
        catalog.close();
        reports.close();
        data.close();
    }
}
