// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.service.catalog.Lookup;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.SyncTarget;
import java.time.Duration;

/**
 * The barrier (requirements D3): returns when everything appended before the call is on stable storage, whatever the topic's policy.
 * Keeps no state; request threads only wait. Throws SYNC_FAILED or PRODUCE_TIMEOUT: what is below the barrier may not be persisted.
 */
public final class BarrierService {
    private final Catalog catalog;
    private final OpenLogs openLogs;
    private final Duration timeout;

    public BarrierService(Catalog catalog, OpenLogs openLogs, Duration timeout) {
        this.catalog = catalog;
        this.openLogs = openLogs;
        this.timeout = timeout;
    }

    /**
     * What a barrier reached.
     *
     * @param endOffset end of the partition when the barrier was asked for
     * @param persistedEndOffset at least endOffset
     */
    public record Barrier(int partitionId, long endOffset, long persistedEndOffset, long epoch) {}

    /**
     * @return the partition, when it exists
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, PARTITION_NOT_FOUND
     */
    public PartitionSpec check(Identifier stream, Identifier topic, long partitionId) {
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.NAMED);
        return Lookup.partition(entry, partitionId);
    }

    /**
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, PARTITION_NOT_FOUND, SYNC_FAILED, PRODUCE_TIMEOUT,
     *     TRANSIENT_NOT_ACCEPTED
     */
    public Barrier flush(Identifier stream, Identifier topic, long partitionId) {
        Deadline deadline = Deadline.in(timeout);
        PartitionSpec partition = check(stream, topic, partitionId);
        PartitionLog log = openLogs.find(partition, deadline, ErrorCode.TRANSIENT_NOT_ACCEPTED);
        if (log == null) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND, "Partition " + partitionId + " is not there.", "partition_id");
        }
        LogStatus status = log.status();
        SyncTarget tail = log.tail();
        tail.awaitPersisted(status.endOffset(), deadline);
        return new Barrier(partition.ref().partitionId(), status.endOffset(), tail.persistedEnd(), status.epoch());
    }
}
