// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a start would find in a partition's files, found without changing any of them.
 *
 * @param damage why the partition would be refused, or null
 * @param firstOffset first kept offset
 * @param endOffset exclusive end of what is readable
 * @param tailBase base offset of the segment that the log ends in, −1 when damaged
 * @param tailPosition byte after the last good frame in it, −1 when damaged
 * @param tornBytes what would be cut behind it
 * @param laterSegments whole segments that would be put aside
 * @param acknowledgedPossible whether something acknowledged as persisted may be in what would be cut
 * @param checkpointDamaged the checkpoint, or one of its slots, does not prove itself
 * @param epochsDamaged the file of epochs would be made again
 * @param evidence the newest checkpoint, when one is good
 */
public record RecoveryPreview(
        @Nullable Damage damage,
        long firstOffset,
        long endOffset,
        long tailBase,
        long tailPosition,
        long tornBytes,
        int laterSegments,
        boolean acknowledgedPossible,
        boolean checkpointDamaged,
        boolean epochsDamaged,
        @Nullable Checkpoint evidence) {
    /**
     * Why it would be refused.
     *
     * @param toOffset exclusive; −1 when nothing speaks of messages beyond
     * @param position in the last readable segment, −1 when it does not apply
     */
    public record Damage(Found found, long fromOffset, long toOffset, long position, String reason) {}

    /** An examination reports nothing. */
    private static final RecoveryReports NO_REPORTS = new RecoveryReports() {
        @Override
        public void add(RecoveryReport report) {
            throw new IllegalStateException("a preview reports nothing: " + report);
        }

        @Override
        public List<RecoveryReport> list() {
            return List.of();
        }
    };

    /** @param cleanEnd where the log ended at the last graceful stop, when that is known */
    public static RecoveryPreview of(FileLayer files, Path dataDir, PartitionSpec spec, @Nullable Checkpoint cleanEnd) {
        var paths = PartitionPaths.inPlace(dataDir, spec.ref());
        var reports = new PartitionReports(NO_REPORTS, spec, InstantSource.system());
        var indexes = new SegmentIndexes(files, paths, spec, reports);
        Diagnosis found = new Examination(files, paths, spec, cleanEnd, indexes).run();
        Diagnosis.Trouble trouble = found.damage();
        Diagnosis.Tail tail = found.tail();
        CheckpointFile.Content evidence = found.evidence();
        return new RecoveryPreview(
                trouble == null
                        ? null
                        : new Damage(
                                trouble.found(),
                                trouble.fromOffset(),
                                trouble.toOffset(),
                                trouble.position(),
                                trouble.reason()),
                found.firstOffset(),
                found.end().endOffset(),
                tail == null ? -1 : tail.segmentBase(),
                tail == null ? -1 : tail.position(),
                tail == null ? 0 : tail.contentEnd() - tail.position(),
                tail == null ? 0 : found.later().size(),
                tail != null && tail.acknowledgedPossible(),
                evidence.damaged(),
                found.epochsDamaged(),
                evidence.newest());
    }
}
