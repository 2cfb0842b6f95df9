// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptReport;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.storage.QuarantineFiles;
import io.keptlog.storage.RecoveryReports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** What recovery found and did, across restarts, and what of it is dealt with (requirements D5). Safe for any number of threads. */
public final class RecoveryService {
    private final RecoveryReports reports;
    private final Optional<QuarantineFiles> quarantine;
    private final InstantSource clock;

    /**
     * @param quarantine empty where nothing is ever put aside
     */
    public RecoveryService(RecoveryReports reports, Optional<QuarantineFiles> quarantine, InstantSource clock) {
        this.reports = reports;
        this.quarantine = quarantine;
        this.clock = clock;
    }

    /** Oldest first. */
    public List<RecoveryReport> list() {
        return reports.list();
    }

    /** Oldest first, with their numbers. */
    public List<KeptReport> kept() {
        return reports.kept();
    }

    /** Those that somebody should look at. */
    public List<KeptReport> open() {
        return reports.kept().stream().filter(KeptReport::isOpen).toList();
    }

    /**
     * Remembers that a report is dealt with.
     *
     * @param deleteQuarantined whether what it put aside is deleted, too; that comes last, and is repeatable
     * @throws KeptlogException NOT_FOUND
     */
    public KeptReport resolve(long id, boolean deleteQuarantined) {
        KeptReport resolved = reports.resolve(id, clock.instant());
        if (resolved == null) {
            throw new KeptlogException(ErrorCode.NOT_FOUND, "There is no recovery report " + id + ".", "report_id");
        }
        String file = resolved.report().quarantineFile();
        if (deleteQuarantined && file != null && quarantine.isPresent()) {
            try {
                boolean unused = quarantine.get().delete(file);
            } catch (IOException e) {
                throw new UncheckedIOException(file + " was not deleted", e);
            }
        }
        return resolved;
    }

    /** Bytes of what was put aside; −1 when that cannot be told. */
    public long quarantineBytes() {
        try {
            return quarantine.isPresent() ? quarantine.get().sizeBytes() : 0;
        } catch (IOException e) {
            return -1;
        }
    }
}
