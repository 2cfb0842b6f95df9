// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.RecoveryReport;
import java.util.List;

/** What recovery found and did, kept across restarts (requirements D5). */
public interface RecoveryReports {
    /** On stable storage when this returns. Recovery calls it before it changes anything. */
    void add(RecoveryReport report);

    /** Oldest first. */
    List<RecoveryReport> list();
}
