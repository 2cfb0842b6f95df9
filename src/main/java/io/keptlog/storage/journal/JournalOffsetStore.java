// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.SyncTarget;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.DurableFiles;
import io.keptlog.storage.journal.format.Frame;
import io.keptlog.storage.journal.format.JournalLoader;
import io.keptlog.storage.journal.format.LoadedJournal;
import io.keptlog.storage.journal.format.LoadedJournal.Condition;
import io.keptlog.storage.journal.record.OffsetRecord;
import io.keptlog.storage.journal.record.OffsetRecord.Life;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumer offsets in memory and in one journal for the server, {@code offsets/}. Reads take no lock; writes are written with the operating
 * system when they return and synced when somebody waits on the tail, or by age. A kill of the process loses nothing; a power cut at most
 * what was not waited for. Damage costs what cannot be read and no more: every record stands for itself, so the earlier generation and
 * everything valid beyond the damage are taken, and a report says so.
 */
public final class JournalOffsetStore implements OffsetStore {
    private static final Logger LOG = LoggerFactory.getLogger(JournalOffsetStore.class);
    private static final String COMPONENT = "offset journal";
    private static final String PART = "offsets";

    private final OffsetTable table = new OffsetTable();
    private final Journal journal;
    private final SyncTarget tail;

    private JournalOffsetStore(JournalSettings settings, JournalEnvironment environment) {
        this.journal = new Journal(settings, environment, () -> table::writeTo);
        this.tail = new JournalTail(journal);
    }

    /**
     * @param flushAgeMillis offsets that nobody waits for are synced when they are so old
     * @throws DataDirectoryException the directory cannot be read at all
     */
    public static JournalOffsetStore open(
            DataDirectory data, RecoveryReports reports, JournalEnvironment environment, long flushAgeMillis) {
        return open(data, reports, environment, settings(data).withFlushAgeMillis(flushAgeMillis));
    }

    static JournalSettings settings(DataDirectory data) {
        return new JournalSettings(
                COMPONENT,
                data.files(),
                List.of(data.resolve(PART)),
                data.reserve(),
                ErrorCode.OFFSETS_FENCED,
                ErrorCode.OFFSET_WRITE_TIMEOUT);
    }

    static JournalOffsetStore open(
            DataDirectory data, RecoveryReports reports, JournalEnvironment environment, JournalSettings settings) {
        var store = new JournalOffsetStore(settings, environment);
        try {
            LoadedJournal loaded = JournalLoader.load(data.files(), settings.directories());
            boolean understood = store.replay(loaded.earlier());
            understood = store.replay(loaded.frames()) && understood;
            boolean damaged = loaded.condition() == Condition.DAMAGED
                    || !understood
                    || (loaded.condition() == Condition.EMPTY && data.made(PART));
            if (damaged) {
                boolean beyond = store.replay(loaded.beyond());
                LOG.warn("{}: records beyond the damage {} taken", COMPONENT, beyond ? "were" : "were partly");
            }
            report(new JournalFindings(COMPONENT, reports::add, environment.clock()), loaded, damaged);
            for (Path directory : settings.directories()) {
                DurableFiles.createDirectories(data.files(), directory);
            }
            store.journal.start(loaded);
            data.markMade(PART);
            return store;
        } catch (IOException e) {
            throw new DataDirectoryException("the consumer offsets cannot be read: " + e.getMessage(), e);
        }
    }

    private static void report(JournalFindings findings, LoadedJournal loaded, boolean damaged) {
        if (damaged) {
            findings.report(
                    loaded,
                    Found.JOURNAL_DAMAGE,
                    Action.REBUILT,
                    true,
                    "consumer offsets may be older than stored: " + loaded.detail());
        } else if (loaded.condition() == Condition.TORN) {
            findings.report(loaded, Found.JOURNAL_TAIL, Action.CUT, true, loaded.detail());
        }
    }

    /** Whether every frame was understood. */
    private boolean replay(List<Frame> frames) {
        boolean understood = true;
        for (Frame frame : frames) {
            try {
                OffsetRecord.decode(frame.payload()).forEach(table::apply);
            } catch (IllegalArgumentException e) {
                LOG.warn("{}: record {} cannot be read: {}", COMPONENT, frame.index(), e.getMessage());
                understood = false;
            }
        }
        return understood;
    }

    @Override
    public OptionalLong get(PartitionSpec partition, ConsumerKey consumer) {
        Long offset = table.get(Life.of(partition), consumer);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    @Override
    public long store(PartitionSpec partition, ConsumerKey consumer, long offset) {
        Life life = Life.of(partition);
        if (table.isFull() && table.get(life, consumer) == null) {
            throw new KeptlogException(
                    ErrorCode.SERVER_BUSY,
                    "the server keeps at most " + Limits.CONSUMER_OFFSETS_MAX + " consumer offsets; delete some");
        }
        return append(List.of(OffsetRecord.store(life, consumer, offset)));
    }

    @Override
    public long delete(PartitionSpec partition, ConsumerKey consumer) {
        Life life = Life.of(partition);
        journal.lock.lock();
        try {
            if (table.get(life, consumer) == null) {
                throw new KeptlogException(
                        ErrorCode.CONSUMER_OFFSET_NOT_FOUND,
                        "consumer " + Integer.toUnsignedString(consumer.id()) + " has no stored offset in partition "
                                + partition.ref().partitionId(),
                        "consumer_id");
            }
            return append(List.of(OffsetRecord.delete(life, consumer)));
        } finally {
            journal.lock.unlock();
        }
    }

    private long append(List<OffsetRecord> records) {
        return journal.append(List.of(OffsetRecord.encode(records)), () -> records.forEach(table::apply));
    }

    @Override
    public void forget(List<PartitionSpec> partitions, ConsumerKey consumer) {
        forgetRecords(partitions.stream()
                .map(Life::of)
                .filter(life -> table.get(life, consumer) != null)
                .map(life -> OffsetRecord.delete(life, consumer))
                .toList());
    }

    @Override
    public void forget(List<PartitionSpec> partitions) {
        forgetRecords(partitions.stream()
                .map(Life::of)
                .filter(table::knows)
                .map(OffsetRecord::forget)
                .toList());
    }

    /** These offsets belong to nobody any more: a journal that takes no writes must not keep them in memory. */
    private void forgetRecords(List<OffsetRecord> records) {
        if (records.isEmpty()) {
            return;
        }
        try {
            append(records);
        } catch (KeptlogException e) {
            LOG.warn("{}: {} offsets are forgotten in memory only: {}", COMPONENT, records.size(), e.reason());
            journal.lock.lock();
            try {
                records.forEach(table::apply);
            } finally {
                journal.lock.unlock();
            }
        }
    }

    @Override
    public List<ConsumerOffset> list(PartitionSpec partition) {
        return table.list(Life.of(partition));
    }

    @Override
    public List<ConsumerOffset> clamp(PartitionSpec partition, long firstOffset, long endOffset) {
        Life life = Life.of(partition);
        List<ConsumerOffset> beyond;
        long end;
        journal.lock.lock();
        try {
            beyond = table.list(life).stream()
                    .filter(o -> o.offset() >= endOffset)
                    .toList();
            if (beyond.isEmpty()) {
                return beyond;
            }
            var records = new ArrayList<OffsetRecord>();
            for (ConsumerOffset o : beyond) {
                records.add(
                        endOffset > firstOffset
                                ? OffsetRecord.store(life, o.consumer(), endOffset - 1)
                                : OffsetRecord.delete(life, o.consumer()));
                Long before = table.takenBack(life, o.consumer());
                long seen = before == null ? o.offset() : Math.max(before, o.offset());
                records.add(OffsetRecord.takenBack(life, o.consumer(), seen));
            }
            end = append(records);
        } finally {
            journal.lock.unlock();
        }
        journal.awaitPersisted(end, Deadline.inMillis(Limits.JOURNAL_SYNC_MAX_MILLIS));
        return beyond;
    }

    @Override
    public OptionalLong takenBack(PartitionSpec partition, ConsumerKey consumer) {
        Long offset = table.takenBack(Life.of(partition), consumer);
        return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
    }

    @Override
    public SyncTarget tail(PartitionSpec partition) {
        return tail;
    }

    @Override
    public List<Fault> faults() {
        return journal.faults();
    }

    @Override
    public void close() {
        journal.close();
    }
}
