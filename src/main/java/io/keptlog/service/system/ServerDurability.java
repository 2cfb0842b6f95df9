// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.service.RecoveryService;
import io.keptlog.storage.PartitionLogs;
import java.util.Optional;

/** The durability of the whole server right now. Keeps no state. */
public final class ServerDurability {
    private final DiskWatch disk;
    private final PartitionLogs logs;
    private final RecoveryService recovery;

    public ServerDurability(DiskWatch disk, PartitionLogs logs, RecoveryService recovery) {
        this.disk = disk;
        this.logs = logs;
        this.recovery = recovery;
    }

    /**
     * What there is to say.
     *
     * @param disk empty where this server keeps nothing on a disk of its own
     * @param quarantineBytes −1 when it cannot be told
     */
    public record Now(
            Optional<DiskTruth> disk,
            AtRisk atRisk,
            int partitions,
            int faults,
            int openReports,
            long quarantineBytes) {}

    public Now now() {
        return new Now(
                disk.fresh(),
                logs.atRisk(),
                logs.all().size(),
                logs.faults().size(),
                recovery.open().size(),
                recovery.quarantineBytes());
    }
}
