// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.system;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.service.catalog.Lookup;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.Replication;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Says what each failure would do to a topic right now (requirements D2, A10). Keeps no state. */
public final class ExplainService {
    private final Catalog catalog;
    private final OpenLogs openLogs;
    private final Optional<Replication> replication;
    private final DiskWatch disk;

    /**
     * @param replication empty on one node
     */
    public ExplainService(Catalog catalog, OpenLogs openLogs, Optional<Replication> replication, DiskWatch disk) {
        this.catalog = catalog;
        this.openLogs = openLogs;
        this.replication = replication;
        this.disk = disk;
    }

    /** What a failure does to what was acknowledged. */
    public enum Verdict {
        KEPT,
        MAY_BE_LOST,
        LOST
    }

    /**
     * One failure.
     *
     * @param atRisk what it could take right now
     */
    public record Failure(String failure, Verdict verdict, AtRisk atRisk) {}

    /**
     * One partition.
     *
     * @param state open, fenced, damaged, read_only, closed, or unavailable when no broker can say
     */
    public record PartitionState(
            int partitionId, long endOffset, long persistedEndOffset, AtRisk atRisk, String state) {}

    /** A topic's durability. */
    public record Explanation(
            Durability durability,
            Durability consumerOffsetDurability,
            List<Failure> failures,
            List<PartitionState> partitions,
            Optional<DiskTruth> disk) {}

    /**
     * @throws io.keptlog.domain.KeptlogException NOT_FOUND
     */
    public Explanation explain(Identifier stream, Identifier topic) {
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.PLAIN);
        List<PartitionState> partitions = new ArrayList<>();
        AtRisk unsynced = AtRisk.NOTHING;
        AtRisk all = AtRisk.NOTHING;
        for (PartitionSpec spec : entry.specs()) {
            PartitionLog log = openLogs.findNow(spec);
            int id = spec.ref().partitionId();
            if (log == null) {
                partitions.add(new PartitionState(id, 0, 0, AtRisk.NOTHING, "closed"));
                continue;
            }
            LogStatus status;
            try {
                status = log.status();
            } catch (KeptlogException e) {
                partitions.add(new PartitionState(id, 0, 0, AtRisk.NOTHING, unknownState(e)));
                continue;
            }
            unsynced = unsynced.plus(status.atRisk());
            all = all.plus(new AtRisk(status.messages(), status.sizeBytes(), 0));
            partitions.add(new PartitionState(
                    id,
                    status.endOffset(),
                    status.persistedEnd(),
                    status.atRisk(),
                    status.state().name().toLowerCase(Locale.ROOT)));
        }
        Durability durability = entry.options().durability();
        List<Failure> failures = replication.isPresent()
                ? QuorumLoss.failures(replication.get(), entry, all)
                : oneNode(durability, unsynced, all, disk.last());
        return new Explanation(
                durability, entry.options().consumerOffsetDurability(), failures, partitions, disk.last());
    }

    /** Of a partition of a cluster that nobody can speak for now. */
    private static String unknownState(KeptlogException e) {
        return switch (e.code()) {
            case PARTITION_DAMAGED -> "damaged";
            case QUORUM_UNAVAILABLE, NOT_PRIMARY, PARTITION_READ_TIMEOUT -> "unavailable";
            default -> throw e;
        };
    }

    /** On a disk in memory, or in a container's own layer, losing power is losing the disk. */
    private static List<Failure> oneNode(Durability durability, AtRisk unsynced, AtRisk all, Optional<DiskTruth> disk) {
        boolean isVolatile =
                disk.map(truth -> truth.verdict() == DiskTruth.Verdict.VOLATILE).orElse(false);
        Verdict syncedOnly = durability == Durability.PERSISTED ? Verdict.KEPT : Verdict.MAY_BE_LOST;
        return List.of(
                new Failure("process_crash", Verdict.KEPT, AtRisk.NOTHING),
                new Failure("power_loss", isVolatile ? Verdict.LOST : syncedOnly, isVolatile ? all : unsynced),
                new Failure("device_loss", Verdict.LOST, all));
    }
}
