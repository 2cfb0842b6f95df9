// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Fault;
import io.keptlog.domain.PartitionSpec;
import java.util.List;
import java.util.OptionalLong;

/**
 * Consumer offsets, bound to the incarnation of a partition: a later life of the same number starts with none. Writes are applied in
 * call order per key; each returns the end to wait for on {@link #tail}.
 */
public interface OffsetStore extends AutoCloseable {
    OptionalLong get(PartitionSpec partition, ConsumerKey consumer);

    /**
     * @return record number after this write, for {@code tail(partition).await…}
     * @throws io.keptlog.domain.KeptlogException OFFSETS_FENCED, NO_SPACE: not stored
     */
    long store(PartitionSpec partition, ConsumerKey consumer, long offset);

    /**
     * @return as {@link #store}
     * @throws io.keptlog.domain.KeptlogException CONSUMER_OFFSET_NOT_FOUND, OFFSETS_FENCED, NO_SPACE: nothing changed
     */
    long delete(PartitionSpec partition, ConsumerKey consumer);

    /** Forgets every offset of this consumer in these partitions (a deleted group). */
    void forget(List<PartitionSpec> partitions, ConsumerKey consumer);

    /** Forgets lives of partitions that no longer exist. Cheap; what it leaves behind is dropped at the next compaction. */
    void forget(List<PartitionSpec> partitions);

    /** Every consumer that has an offset in the partition. */
    List<ConsumerOffset> list(PartitionSpec partition);

    /**
     * After a recovery cut the partition at {@code endOffset}: offsets beyond go back to the last message kept, or are removed when none
     * is left; on stable storage when this returns.
     *
     * @return the consumers concerned, with the offset each had before
     */
    List<ConsumerOffset> clamp(PartitionSpec partition, long firstOffset, long endOffset);

    /**
     * The offset that {@link #clamp} took back and the consumer has not stored or deleted since: it may have seen messages up to it that
     * are no more. A store whose logs never lose a tail has none.
     */
    default OptionalLong takenBack(PartitionSpec partition, ConsumerKey consumer) {
        return OptionalLong.empty();
    }

    /** Where offset writes of this partition's topic can be waited for. */
    SyncTarget tail(PartitionSpec partition);

    List<Fault> faults();

    @Override
    void close();

    /** A consumer and its offset. */
    record ConsumerOffset(ConsumerKey consumer, long offset) {}
}
