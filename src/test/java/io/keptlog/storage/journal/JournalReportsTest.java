// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.KeptReport;
import io.keptlog.domain.Limits;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Action;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.file.DataDirectory;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.journal.record.ReportRecord;
import io.keptlog.storage.record.JournalJson;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class JournalReportsTest {
    private static final Path DATA = SimulatedFiles.ROOT.resolve("data");
    private static final Instant THEN = Instant.parse("2026-11-30T10:00:00Z");

    private SimulatedFiles machine = new SimulatedFiles(1);

    private static RecoveryReport report(Action action, boolean acknowledgedPossible, String detail) {
        return new RecoveryReport(
                THEN, null, 0, Found.JOURNAL_DAMAGE, action, -1, -1, -1, -1, acknowledgedPossible, null, detail);
    }

    private interface Work {
        void on(JournalReports reports);
    }

    private void open(Work work) {
        var environment = new JournalEnvironment(
                Thread.ofPlatform().daemon().factory(), InstantSource.system(), StoreObserver.NONE);
        try (DataDirectory data = DataDirectory.open(machine, DATA, InstantSource.system());
                JournalReports reports = JournalReports.open(data, environment)) {
            work.on(reports);
        }
        machine = machine.powerCut(new java.util.Random(2));
    }

    private static List<Long> openIds(JournalReports reports) {
        return reports.kept().stream()
                .filter(KeptReport::isOpen)
                .map(KeptReport::id)
                .toList();
    }

    @Test
    void whatIsResolvedStaysResolvedAndNumbersGoOn() {
        open(reports -> {
            reports.add(report(Action.REBUILT, false, "a"));
            reports.add(report(Action.CUT, true, "b"));
            reports.add(report(Action.REFUSED, false, "c"));
            assertThat(openIds(reports)).containsExactly(1L, 2L);
            assertThat(reports.resolve(1, THEN))
                    .satisfies(kept -> assertThat(kept.resolved()).isEqualTo(THEN));
            assertThat(reports.resolve(7, THEN)).isNull();
        });
        open(reports -> {
            assertThat(reports.list()).extracting(RecoveryReport::detail).containsExactly("a", "b", "c");
            assertThat(openIds(reports)).containsExactly(2L);
            assertThat(reports.resolve(1, THEN.plusSeconds(5)).resolved())
                    .as("the first time counts")
                    .isEqualTo(THEN);
            reports.add(report(Action.CUT, true, "d"));
            assertThat(reports.kept().getLast().id()).isEqualTo(3);
        });
    }

    @Test
    void aReportThatWasWrittenBeforeReportsHadNumbersIsRead() {
        RecoveryReport old = report(Action.CUT, true, "old");
        KeptReport read = ReportRecord.read(JournalJson.write(old));
        assertThat(read.report()).isEqualTo(old);
        assertThat(read.id()).isEqualTo(ReportRecord.NO_NUMBER);
        KeptReport kept = new KeptReport(4, old, THEN);
        assertThat(ReportRecord.read(ReportRecord.write(kept))).isEqualTo(kept);
    }

    @Test
    void ofTooManyReportsThoseGoFirstThatNobodyNeedsToLookAt() {
        open(reports -> {
            reports.add(report(Action.REFUSED, true, "first"));
            for (int i = 0; i < Limits.RECOVERY_REPORTS_MAX; i++) {
                reports.add(report(Action.REBUILT, false, "index " + i));
            }
            assertThat(reports.list()).hasSize(Limits.RECOVERY_REPORTS_MAX);
            assertThat(reports.list().getFirst().detail()).isEqualTo("first");
            assertThat(reports.list().get(1).detail()).isEqualTo("index 1");
        });
    }
}
