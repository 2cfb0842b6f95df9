// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import java.util.List;

/**
 * What a verification of a data directory has seen.
 *
 * @param inUse a server was using the directory: what it was writing at the end of a log was left out
 * @param bytes read from segment files
 */
public record CheckReport(
        String dataDir,
        boolean inUse,
        long epoch,
        int partitions,
        int segments,
        long frames,
        long messages,
        long journalRecords,
        long bytes,
        long millis,
        List<Finding> findings) {
    public CheckReport {
        findings = List.copyOf(findings);
    }

    public boolean damaged() {
        return findings.stream().anyMatch(f -> f.severity() == Finding.Severity.DAMAGE);
    }
}
