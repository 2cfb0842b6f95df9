// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.journal.format.LoadedJournal;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells what a journal's recovery found, in the log and in the reports. */
final class JournalFindings {
    private static final Logger LOG = LoggerFactory.getLogger(JournalFindings.class);

    private final String component;
    private final Consumer<RecoveryReport> reports;
    private final InstantSource clock;

    /**
     * @param reports keeps a report
     */
    JournalFindings(String component, Consumer<RecoveryReport> reports, InstantSource clock) {
        this.component = component;
        this.reports = reports;
        this.clock = clock;
    }

    void report(LoadedJournal loaded, Found found, Action action, boolean acknowledgedPossible, String detail) {
        var report = new RecoveryReport(
                clock.instant(),
                null,
                0,
                found,
                action,
                -1,
                -1,
                loaded.fromPosition(),
                loaded.toPosition(),
                acknowledgedPossible,
                null,
                component + ": " + detail);
        LOG.warn("Recovery: {} {}: {}", found, action, report.detail());
        try {
            reports.accept(report);
        } catch (KeptlogException e) {
            // The start goes on: the finding is in the log, and the disk that refused the report is a fault of its own.
            LOG.error("This report could not be kept: {} ({})", report, e.reason());
        }
    }
}
