// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.RecoveryReport;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Recovery reports for tests, in memory. */
public final class InMemoryReports implements RecoveryReports {
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
