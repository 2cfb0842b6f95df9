// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Gap;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one partition's life. Safe for any number of threads; appends are ordered by the log, reads never wait for them.
 */
public interface PartitionLog {
    PartitionSpec spec();

    /**
     * Gives the batch its offsets and hands its bytes over. The bytes are with the operating system (or submitted) when this returns.
     *
     * @throws io.keptlog.domain.KeptlogException nothing stored: PARTITION_FENCED, NO_SPACE, TRANSIENT_NOT_ACCEPTED (deadline passed
     *     before the write), PARTITION_NOT_FOUND (the log was deleted), SEQUENCE_GAP, PRODUCER_FENCED, SHUTTING_DOWN
     */
    Appended append(MessageBatch batch, Deadline deadline);

    /** The log's tail; ends are offsets. */
    SyncTarget tail();

    /**
     * Reads from {@code fromOffset} on, in order, without holes.
     *
     * @param maxMessages at least 1
     * @param maxBytes stored bytes after which no further message is added; the first message is returned whatever its size
     * @throws io.keptlog.domain.KeptlogException PARTITION_DAMAGED when the start lies in a damaged range; PARTITION_NOT_FOUND when the
     *     log was deleted
     */
    Slice read(long fromOffset, int maxMessages, long maxBytes, Visibility visibility);

    /**
     * What a recovery has taken of what a reader saw: of a reader that saw messages in this epoch and goes on at the offset. A store that
     * never takes anything back has nothing to say.
     *
     * @param epoch the newest epoch that the reader was told
     * @return the offsets below {@code offset} that now are, or will be, other messages; null when there are none
     */
    default @Nullable Gap cutSince(long epoch, long offset) {
        return null;
    }

    /**
     * Offset of the first message appended at or after the time, or the visible end when there is none.
     *
     * @param timestampMicros unsigned microseconds since the epoch
     */
    long offsetAt(long timestampMicros, Visibility visibility);

    LogStatus status();

    /** Who waits for this log to have more to read under this visibility. One and the same for each visibility, as long as the log is open. */
    TailWatch watch(Visibility visibility);

    /** The sealed segments, oldest first; the active one is never among them. */
    List<SealedSegment> sealedSegments();

    /**
     * Deletes every sealed segment that ends at or before the offset, never the active one. A later poll that starts below the new
     * first offset is told why.
     *
     * @param endOffset exclusive
     * @param reason RETENTION or DELETION
     * @return the segments that went, oldest first
     */
    List<SealedSegment> deleteSegments(long endOffset, Gap.Reason reason);
}
