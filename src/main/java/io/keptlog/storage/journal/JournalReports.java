// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptReport;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.DataDirectoryException;
import io.keptlog.storage.file.DurableFiles;
import io.keptlog.storage.file.ReserveFile;
import io.keptlog.storage.journal.format.Frame;
import io.keptlog.storage.journal.format.JournalLoader;
import io.keptlog.storage.journal.format.LoadedJournal;
import io.keptlog.storage.journal.format.LoadedJournal.Condition;
import io.keptlog.storage.journal.record.ReportRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * Recovery reports in a journal of their own, {@code reports/}: one JSON record each, the newest {@link Limits#RECOVERY_REPORTS_MAX} kept.
 * Opened before everything that reports. Safe for any number of threads. A crash leaves every report whose {@link #add} returned. Damage of
 * the reports themselves costs what cannot be read, and is a report.
 */
public final class JournalReports implements RecoveryReports, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalReports.class);
    private static final String COMPONENT = "report journal";
    private static final String PART = "reports";

    private final Journal journal;
    private final ReserveFile reserve;
    /** By number, oldest first. */
    private final TreeMap<Long, KeptReport> reports = new TreeMap<>();

    private long nextId;

    private JournalReports(JournalSettings settings, JournalEnvironment environment) {
        this.reserve = settings.reserve();
        this.journal = new Journal(settings, environment, this::capture);
    }

    /**
     * @throws DataDirectoryException the directory cannot be read at all
     */
    public static JournalReports open(DataDirectory data, JournalEnvironment environment) {
        Path directory = data.resolve(PART);
        var settings = new JournalSettings(
                COMPONENT,
                data.files(),
                List.of(directory),
                data.reserve(),
                ErrorCode.SYNC_FAILED,
                ErrorCode.SYNC_FAILED);
        var reports = new JournalReports(settings, environment);
        try {
            LoadedJournal loaded = JournalLoader.load(data.files(), settings.directories());
            int unknown = reports.replay(loaded.earlier()) + reports.replay(loaded.frames());
            unknown += loaded.condition() == Condition.DAMAGED ? reports.replay(loaded.beyond()) : 0;
            DurableFiles.createDirectories(data.files(), directory);
            reports.reportItself(loaded, data.made(PART), unknown, environment);
            reports.journal.start(loaded);
            data.markMade(PART);
            return reports;
        } catch (IOException e) {
            throw new DataDirectoryException("the recovery reports cannot be read: " + e.getMessage(), e);
        }
    }

    private int replay(List<Frame> frames) {
        int unknown = 0;
        for (Frame frame : frames) {
            if (frame.kind() != Frame.Kind.SNAPSHOT_END) {
                try {
                    KeptReport kept = ReportRecord.read(frame.payload());
                    remember(kept.id() == ReportRecord.NO_NUMBER ? numbered(kept.report()) : kept);
                } catch (JacksonException | IllegalArgumentException e) {
                    LOG.warn("A recovery report cannot be read: {}", e.getMessage());
                    unknown++;
                }
            }
        }
        return unknown;
    }

    /**
     * Before the first generation of this life is begun: so it holds the report, and there is no moment at which what was damaged is
     * replaced and nothing is told.
     */
    private void reportItself(LoadedJournal loaded, boolean made, int unknown, JournalEnvironment environment) {
        var findings = new JournalFindings(COMPONENT, report -> remember(numbered(report)), environment.clock());
        if (loaded.condition() == Condition.EMPTY && made) {
            findings.report(loaded, Found.JOURNAL_DAMAGE, Action.REBUILT, true, "all earlier reports are gone");
        } else if (loaded.condition() == Condition.DAMAGED || unknown > 0) {
            findings.report(
                    loaded,
                    Found.JOURNAL_DAMAGE,
                    Action.REBUILT,
                    true,
                    "earlier reports are missing: " + loaded.detail());
        } else if (loaded.condition() == Condition.TORN) {
            findings.report(loaded, Found.JOURNAL_TAIL, Action.CUT, true, loaded.detail());
        }
    }

    private SnapshotSource.Snapshot capture() {
        List<KeptReport> now = kept();
        return parts -> {
            for (KeptReport report : now) {
                parts.add(ReportRecord.write(report));
            }
        };
    }

    @Override
    public void add(RecoveryReport report) {
        put(numbered(report));
    }

    private synchronized KeptReport numbered(RecoveryReport report) {
        return new KeptReport(nextId++, report, null);
    }

    private void put(KeptReport report) {
        List<byte[]> record = List.of(ReportRecord.write(report));
        long end;
        try {
            end = journal.append(record, () -> remember(report));
        } catch (KeptlogException e) {
            if (e.code() != ErrorCode.NO_SPACE || !released()) {
                throw e;
            }
            end = journal.append(record, () -> remember(report));
        }
        journal.awaitPersisted(end, Deadline.inMillis(Limits.JOURNAL_SYNC_MAX_MILLIS));
    }

    private boolean released() {
        try {
            return reserve.release();
        } catch (IOException e) {
            LOG.warn("The reserve for a full disk cannot be used: {}", e.getMessage());
            return false;
        }
    }

    private synchronized void remember(KeptReport report) {
        reports.put(report.id(), report);
        nextId = Math.max(nextId, report.id() + 1);
        if (reports.size() > Limits.RECOVERY_REPORTS_MAX) {
            // Those that nobody needs to look at go first.
            long oldest = reports.values().stream()
                    .filter(kept -> !kept.isOpen())
                    .findFirst()
                    .map(KeptReport::id)
                    .orElse(reports.firstKey());
            reports.remove(oldest);
        }
    }

    @Override
    public List<RecoveryReport> list() {
        return kept().stream().map(KeptReport::report).toList();
    }

    @Override
    public synchronized List<KeptReport> kept() {
        return List.copyOf(reports.values());
    }

    private synchronized @Nullable KeptReport find(long id) {
        return reports.get(id);
    }

    @Override
    public @Nullable KeptReport resolve(long id, Instant time) {
        KeptReport kept = find(id);
        if (kept == null || kept.resolved() != null) {
            return kept;
        }
        var resolved = new KeptReport(id, kept.report(), time);
        put(resolved);
        return resolved;
    }

    public List<Fault> faults() {
        return journal.faults();
    }

    @Override
    public void close() {
        journal.close();
    }
}
