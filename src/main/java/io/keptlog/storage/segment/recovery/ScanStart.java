// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.Limits;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.SegmentHeader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where reading frames begins.
 *
 * @param segment number of the segment among those kept
 * @param chain null when it begins at a segment's first frame: what comes before is what the segment before it ends with
 * @param producersBelow whether frames below may carry a producer
 * @param missingBase base offset of the checkpoint's segment when it is missing, else −1
 */
record ScanStart(int segment, long position, @Nullable FrameChain chain, boolean producersBelow, long missingBase) {
    /**
     * The older of the two checkpoints when it can be used: what was written last before the newest one is read as well, so that a log
     * whose end below the checkpoint is gone is not taken for whole. When that lies so near the segment's beginning that the first read
     * brings all of it, all of it is looked at. Without a checkpoint: the newest segment.
     */
    static ScanStart choose(CheckpointFile.Content evidence, List<FoundSegment> kept) {
        Checkpoint newest = evidence.newest();
        if (newest == null) {
            return new ScanStart(kept.size() - 1, SegmentHeader.FIRST_FRAME_POSITION, null, true, -1);
        }
        Checkpoint older = evidence.older();
        boolean olderIsBelow = older != null
                && older.endOffset() <= newest.endOffset()
                && older.segmentBase() <= newest.segmentBase()
                && isThere(kept, older.segmentBase());
        Checkpoint from = older != null && olderIsBelow ? older : newest;
        long before =
                kept.stream().filter(s -> s.baseOffset() < from.segmentBase()).count();
        long missingBase = isThere(kept, from.segmentBase()) ? -1 : from.segmentBase();
        // Of a segment without a frame, and with none before it, only the checkpoint knows what its first frame will
        // follow.
        boolean onlyTheCheckpointKnows = before == 0
                && missingBase < 0
                && from.position() == SegmentHeader.FIRST_FRAME_POSITION
                && kept.getFirst().firstFrame() == null;
        boolean oneReadShowsAll = from.position() <= Limits.RECOVERY_READ_BYTES && !onlyTheCheckpointKnows;
        return oneReadShowsAll
                ? new ScanStart((int) before, SegmentHeader.FIRST_FRAME_POSITION, null, from.producers(), missingBase)
                : new ScanStart((int) before, from.position(), from.end(), from.producers(), missingBase);
    }

    private static boolean isThere(List<FoundSegment> kept, long baseOffset) {
        return kept.stream().anyMatch(s -> s.baseOffset() == baseOffset);
    }
}
