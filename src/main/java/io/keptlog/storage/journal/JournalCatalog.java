// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.DurableFiles;
import io.keptlog.storage.file.ReserveFile;
import io.keptlog.storage.journal.format.JournalLoader;
import io.keptlog.storage.journal.format.LoadedJournal;
import io.keptlog.storage.journal.format.LoadedJournal.Condition;
import io.keptlog.storage.journal.record.CatalogReplay;
import io.keptlog.storage.record.CatalogCodec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The catalog as a journal of changes in two directories, {@code catalog/a} and {@code catalog/b}: each record is taken from whichever is
 * valid. Reading is one volatile read; changes happen one after the other under a lock. A crash leaves every change that returned. When
 * both copies are damaged, or the catalog of a data directory that had one is gone, nothing is written or removed: changes are refused
 * (CATALOG_FENCED), what is valid can be read.
 */
public final class JournalCatalog implements Catalog {
    private static final String COMPONENT = "catalog journal";
    private static final String PART = "catalog";

    private final ReentrantLock changes = new ReentrantLock();
    private final @Nullable String refusal;
    private final Journal journal;
    private final JournalEnvironment environment;
    private final ReserveFile reserve;
    /** What is on stable storage. */
    private volatile CatalogState state;
    /** What is written, ahead of {@link #state} while a change is being synced. */
    private volatile CatalogState written;

    private JournalCatalog(
            JournalSettings settings, JournalEnvironment environment, CatalogState state, @Nullable String refusal) {
        this.environment = environment;
        this.reserve = settings.reserve();
        this.state = state;
        this.written = state;
        this.refusal = refusal;
        this.journal = new Journal(settings, environment, this::capture);
    }

    static JournalSettings settings(DataDirectory data) {
        Path directory = data.resolve(PART);
        return new JournalSettings(
                COMPONENT,
                data.files(),
                List.of(directory.resolve("a"), directory.resolve("b")),
                data.reserve(),
                ErrorCode.CATALOG_FENCED,
                ErrorCode.SYNC_FAILED);
    }

    /**
     * @throws DataDirectoryException the directory cannot be read at all, or a first start finds no space
     */
    public static JournalCatalog open(DataDirectory data, RecoveryReports reports, JournalEnvironment environment) {
        return open(data, reports, environment, settings(data));
    }

    static JournalCatalog open(
            DataDirectory data, RecoveryReports reports, JournalEnvironment environment, JournalSettings settings) {
        try {
            LoadedJournal loaded = JournalLoader.load(data.files(), settings.directories());
            var replay = new CatalogReplay(loaded.earlier().isEmpty() ? loaded.frames() : loaded.earlier());
            var findings = new JournalFindings(COMPONENT, reports::add, environment.clock());
            String refusal = refusal(data, loaded, replay);
            if (refusal != null) {
                findings.report(loaded, Found.JOURNAL_DAMAGE, Action.REFUSED, true, refusal);
                return new JournalCatalog(settings, environment, replay.state(), refusal);
            }
            if (loaded.condition() == Condition.TORN) {
                findings.report(loaded, Found.JOURNAL_TAIL, Action.CUT, true, loaded.detail());
            } else if (loaded.condition() == Condition.ONE_COPY_BAD && data.made(PART)) {
                // Before it is marked as made, one copy alone is a first start that was killed between the two.
                findings.report(loaded, Found.JOURNAL_DAMAGE, Action.REBUILT, false, loaded.detail());
            }
            var catalog = new JournalCatalog(settings, environment, replay.state(), null);
            catalog.start(data, settings, loaded);
            return catalog;
        } catch (IOException e) {
            throw new DataDirectoryException("the catalog cannot be read: " + e.getMessage(), e);
        }
    }

    private static @Nullable String refusal(DataDirectory data, LoadedJournal loaded, CatalogReplay replay) {
        if (loaded.condition() == Condition.EMPTY) {
            return data.made(PART) ? "the catalog of this data directory is gone" : null;
        }
        if (replay.problem() != null) {
            return replay.problem();
        }
        return loaded.condition() == Condition.DAMAGED ? "both copies are damaged: " + loaded.detail() : null;
    }

    private void start(DataDirectory data, JournalSettings settings, LoadedJournal loaded) throws IOException {
        for (Path directory : settings.directories()) {
            DurableFiles.createDirectories(data.files(), directory);
        }
        journal.start(loaded);
        if (!data.made(PART)) {
            if (!journal.isWriting()) {
                journal.close();
                throw new DataDirectoryException("the catalog cannot be made: no space, or the disk refuses writes");
            }
            data.markMade(PART);
        }
    }

    private SnapshotSource.Snapshot capture() {
        CatalogState now = written;
        return parts -> writeSnapshot(now, parts);
    }

    private void writeSnapshot(CatalogState captured, SnapshotSource.Parts parts) throws IOException {
        byte[] json = CatalogCodec.encode(
                captured.withoutRevocationsBefore(environment.clock().instant().getEpochSecond()));
        for (int from = 0; from < json.length; from += Limits.JOURNAL_SNAPSHOT_PART_BYTES) {
            parts.add(Arrays.copyOfRange(json, from, Math.min(json.length, from + Limits.JOURNAL_SNAPSHOT_PART_BYTES)));
        }
    }

    @Override
    public CatalogState state() {
        return state;
    }

    @Override
    public <C extends CatalogChange> C change(Function<CatalogState, C> decide, Consumer<? super C> prepare) {
        Deadline deadline = Deadline.inMillis(Limits.JOURNAL_SYNC_MAX_MILLIS);
        lockChanges(deadline);
        try {
            if (refusal != null) {
                throw new KeptlogException(ErrorCode.CATALOG_FENCED, "the catalog takes no changes: " + refusal);
            }
            journal.refuseIfNotWritable();
            C change = decide.apply(state);
            CatalogState next = state.apply(change);
            byte[] record = CatalogCodec.encode(change);
            if (record.length > Limits.JOURNAL_RECORD_MAX_BYTES) {
                throw new KeptlogException(
                        ErrorCode.BAD_REQUEST, "the change is too large: " + record.length + " bytes");
            }
            prepare.accept(change);
            append(change, record, next, deadline);
            state = next;
            return change;
        } finally {
            changes.unlock();
        }
    }

    private void lockChanges(Deadline deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (changes.tryLock(deadline.remainingNanos(), TimeUnit.NANOSECONDS)) {
                        return;
                    }
                    throw KeptlogException.retryable(
                            ErrorCode.SERVER_BUSY, "the catalog waits for the disk; nothing was changed", 1);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void append(CatalogChange change, byte[] record, CatalogState next, Deadline deadline) {
        long end;
        try {
            end = write(change, record, next);
        } catch (KeptlogException e) {
            if (e.code() == ErrorCode.NO_SPACE) {
                // Refused means refused, after a power cut as well.
                journal.flush(deadline);
            }
            throw e;
        }
        try {
            journal.awaitPersisted(end, deadline);
        } catch (KeptlogException e) {
            journal.fence("a change was not on stable storage in time", e);
            throw new KeptlogException(
                    ErrorCode.SYNC_FAILED, "the change may have been made; a restart will tell", null, 0, Map.of(), e);
        }
    }

    private long write(CatalogChange change, byte[] record, CatalogState next) {
        try {
            return journal.append(List.of(record), () -> written = next);
        } catch (KeptlogException e) {
            if (e.code() != ErrorCode.NO_SPACE || !freesSpace(change) || !released()) {
                throw e;
            }
            return journal.append(List.of(record), () -> written = next);
        }
    }

    private boolean released() {
        try {
            return reserve.release();
        } catch (IOException e) {
            return false; // The answer stays "no space"; the reserve's own trouble shows when it is restored.
        }
    }

    /** What may use the reserve: what makes room, and what takes rights away. */
    private static boolean freesSpace(CatalogChange change) {
        return switch (change) {
            case CatalogChange.StreamDeleted c -> true;
            case CatalogChange.TopicDeleted c -> true;
            case CatalogChange.TopicsPurged c -> true;
            case CatalogChange.PartitionsRemoved c -> true;
            case CatalogChange.RemovalsDone c -> true;
            case CatalogChange.GroupDeleted c -> true;
            case CatalogChange.UserDeleted c -> true;
            case CatalogChange.TokenDeleted c -> true;
            case CatalogChange.SessionRevoked c -> true;
            default -> false;
        };
    }

    @Override
    public List<Fault> faults() {
        return refusal == null ? journal.faults() : List.of(new Fault(COMPONENT, refusal, false));
    }

    @Override
    public void close() {
        if (refusal == null) {
            journal.close();
        }
    }
}
