// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.RecoveryReport;
import io.keptlog.storage.RecoveryReports;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Reports in memory. */
final class ReportList implements RecoveryReports {
    private final List<RecoveryReport> reports = new CopyOnWriteArrayList<>();

    @Override
    public void add(RecoveryReport report) {
        reports.add(report);
    }

    @Override
    public List<RecoveryReport> list() {
        return List.copyOf(reports);
    }
}
