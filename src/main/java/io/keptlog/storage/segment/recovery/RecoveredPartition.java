// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.EpochHistory;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What recovery made of a partition's files. Holds no open file.
 *
 * @param damage set when the state is not APPENDABLE
 * @param segments oldest first; the last one is active when the state is APPENDABLE; may be empty when REFUSED
 * @param firstOffset first readable offset
 * @param end the point after the last readable frame. When APPENDABLE: everything before it is on stable storage, and the next frame
 *     follows it
 * @param checkpoint the newest evidence on disk; its successor has a higher sequence
 * @param producers what the log says of idempotent producers; nothing when the state is not APPENDABLE
 * @param bytesRead what the scan read
 * @param reports how many reports were made
 */
public record RecoveredPartition(
        PartitionSpec spec,
        State state,
        @Nullable Damage damage,
        List<RecoveredSegment> segments,
        long firstOffset,
        FrameChain end,
        EpochHistory epochs,
        @Nullable Checkpoint checkpoint,
        RecoveredProducers producers,
        long bytesRead,
        int reports) {
    /** What may be done with the partition. */
    public enum State {
        /** Reads and writes. */
        APPENDABLE,
        /** Damaged: readable up to the damage; nothing was cut or changed. */
        REFUSED,
        /** The torn tail could not be put aside for want of space: readable up to it; recover again when space is back. */
        READ_ONLY
    }

    /**
     * Offsets that cannot be read.
     *
     * @param toOffset exclusive; the highest end that anything on disk speaks of, or {@code fromOffset} when nothing does
     * @param reason one sentence for people
     */
    public record Damage(long fromOffset, long toOffset, String reason) {}

    public RecoveredPartition {
        segments = List.copyOf(segments);
        if ((state == State.APPENDABLE) != (damage == null)) {
            throw new IllegalArgumentException(state + " with damage " + damage);
        }
        if (state == State.APPENDABLE && segments.isEmpty()) {
            throw new IllegalArgumentException("appendable without a segment");
        }
    }

    /** Exclusive. */
    public long endOffset() {
        return end.endOffset();
    }

    /** The segment that takes the next frame, at {@link RecoveredSegment#endPosition}. */
    public RecoveredSegment active() {
        return segments.getLast();
    }
}
