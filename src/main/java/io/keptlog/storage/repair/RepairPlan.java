// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.repair;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.scan.SegmentWalk;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a repair would do.
 *
 * @param damage what is wrong, or null when nothing is
 * @param kept the runs of frames that stay, oldest first
 * @param lost offsets that nobody will read any more, oldest first
 * @param firstOffset first offset of the log, kept or lost
 * @param endOffset where the next message goes
 * @param evidence the newest checkpoint, when one is good
 */
public record RepairPlan(
        PartitionSpec spec,
        Mode mode,
        @Nullable String damage,
        List<KeptRun> kept,
        List<Lost> lost,
        long firstOffset,
        long endOffset,
        @Nullable Checkpoint evidence) {
    /** What becomes of what lies beyond the damage. */
    public enum Mode {
        /** It goes: the log ends at the damage, and the offsets are given anew. */
        CUT,
        /** What is intact of it stays, under its offsets; what is lost is a gap. */
        KEEP_BEYOND
    }

    /** A run of a segment that stays. */
    public record KeptRun(long segmentBase, SegmentWalk.Run run) {
        public long messages() {
            return run.end().endOffset() - run.before().endOffset();
        }

        public long bytes() {
            return run.endPosition() - run.position();
        }
    }

    /** @param toOffset exclusive */
    public record Lost(long fromOffset, long toOffset) {}

    public RepairPlan {
        kept = List.copyOf(kept);
        lost = List.copyOf(lost);
    }

    /** Whether anything intact beyond the damage stays. */
    public boolean keepsBeyond() {
        return !lost.isEmpty() && lost.getFirst().toOffset() <= endOffset;
    }

    public long keptBytes() {
        return kept.stream().mapToLong(KeptRun::bytes).sum();
    }

    public long keptMessages() {
        return kept.stream().mapToLong(KeptRun::messages).sum();
    }
}
