// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service;

import io.keptlog.domain.RecoveryReport;
import io.keptlog.storage.RecoveryReports;
import java.util.List;

/** What recovery found and did, across restarts (requirements D5). */
public final class RecoveryService {
    private final RecoveryReports reports;

    public RecoveryService(RecoveryReports reports) {
        this.reports = reports;
    }

    /** Oldest first. */
    public List<RecoveryReport> list() {
        return reports.list();
    }
}
