// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.EpochHistory;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What an examination found; nothing was changed yet.
 *
 * @param segments readable ones, oldest first, up to the damage or the tail
 * @param end the point after the last readable frame
 * @param tail null when damaged
 * @param later segments beyond a torn tail, oldest first
 * @param leftovers segments whose deletion was decided before
 * @param epochsOnDisk what the file says, null when it says nothing good
 * @param producers at the log's end; nothing when damaged
 * @param made indexes that were made from frames because there was none that proved itself
 */
record Diagnosis(
        List<RecoveredSegment> segments,
        long firstOffset,
        FrameChain end,
        @Nullable Tail tail,
        @Nullable Trouble damage,
        List<FoundSegment> later,
        List<FoundSegment> leftovers,
        CheckpointFile.Content evidence,
        EpochHistory epochs,
        @Nullable EpochHistory epochsOnDisk,
        boolean epochsDamaged,
        List<MadeIndex> made,
        RecoveredProducers producers,
        long bytesRead) {

    /**
     * Where the log ends.
     *
     * @param position byte after the last good frame in the segment
     * @param contentEnd byte after the last one that is not zero; the position when nothing follows
     * @param lostEndOffset exclusive end of the messages that something behind the tail speaks of, −1 when nothing does
     * @param acknowledgedPossible whether something acknowledged as persisted may have followed
     */
    record Tail(
            long segmentBase,
            Path file,
            long position,
            long contentEnd,
            FrameChain end,
            long lostEndOffset,
            boolean acknowledgedPossible) {}

    /**
     * Interior damage.
     *
     * @param toOffset exclusive; −1 when nothing speaks of messages beyond
     * @param position in the last readable segment's file, −1 when it does not apply
     */
    record Trouble(Found found, long fromOffset, long toOffset, long position, String reason) {}

    /** An index to be written; {@code lost}: another than what a crash before it was written leaves. */
    record MadeIndex(RecoveredSegment segment, boolean lost) {}

    boolean torn() {
        return tail != null && (tail.contentEnd > tail.position || !later.isEmpty());
    }
}
