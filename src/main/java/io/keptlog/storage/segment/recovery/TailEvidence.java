// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.FrameVisitor;
import io.keptlog.storage.segment.scan.ScanEnd;
import io.keptlog.storage.segment.scan.ScanEnd.Stop;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides, at the place where the chained frames end, whether that is the log's end, a torn tail, or damage: the one place where this is
 * decided. Reads only.
 */
final class TailEvidence implements FrameVisitor {
    private final FileLayer files;
    private final PartitionSpec spec;
    private final FoundSegment segment;
    private final List<FoundSegment> later;
    private final ScanEnd scanned;
    private final long endOffset;
    private long highestStable;
    private long highestEnd = -1;

    /**
     * @param segment holds the place
     * @param later segments after it, oldest first
     */
    TailEvidence(FileLayer files, PartitionSpec spec, FoundSegment segment, List<FoundSegment> later, ScanEnd scanned) {
        this.files = files;
        this.spec = spec;
        this.segment = segment;
        this.later = later;
        this.scanned = scanned;
        this.endOffset = scanned.end().endOffset();
    }

    /**
     * @param checkpoint the newest evidence, if there is any
     * @param cleanEnd where the log ended when the server was stopped gracefully, if it was
     * @throws DamageFoundException when this is not the end that the log had
     */
    Diagnosis.Tail judge(FileFrameBytes bytes, @Nullable Checkpoint checkpoint, @Nullable Checkpoint cleanEnd)
            throws IOException, DamageFoundException {
        if (scanned.stop() == Stop.READ_ERROR) {
            throw damage(Found.READ_ERROR, "The disk refused to read: " + scanned.error());
        }
        var scanner = new FrameScanner(bytes, spec.incarnation());
        lookBehind(scanner);
        againstCheckpoint(checkpoint);
        againstWhatFollows(bytes, checkpoint, cleanEnd);
        againstCleanEnd(cleanEnd);
        boolean frameLike = scanned.stop() != Stop.ZEROS && scanned.stop() != Stop.END_OF_FILE;
        return new Diagnosis.Tail(
                segment.baseOffset(),
                segment.file(),
                scanned.position(),
                scanner.contentEnd(scanned.position()),
                scanned.end(),
                highestEnd > endOffset ? highestEnd : -1,
                cleanEnd == null && (frameLike || highestEnd > endOffset));
    }

    /** Collects what intact headers behind the end say, here and in later segments. */
    private void lookBehind(FrameScanner scanner) throws IOException {
        scanner.search(scanned.position(), this);
        for (FoundSegment other : later) {
            if (!other.unreadable()) {
                try (FileFrameBytes bytes = FileFrameBytes.openSparse(files, other.file())) {
                    new FrameScanner(bytes, spec.incarnation()).search(SegmentHeader.FIRST_FRAME_POSITION, this);
                }
            }
        }
    }

    @Override
    public void frame(FrameHeader header, int headerCrc, long position, MemorySegment bytes) {
        highestStable = Math.max(highestStable, header.stableOffset());
        highestEnd = Math.max(highestEnd, header.endOffset());
    }

    private void againstCheckpoint(@Nullable Checkpoint checkpoint) throws DamageFoundException {
        if (checkpoint == null) {
            return;
        }
        highestStable = Math.max(highestStable, checkpoint.endOffset());
        highestEnd = Math.max(highestEnd, checkpoint.endOffset());
        if (endOffset < checkpoint.endOffset()) {
            throw damage(
                    Found.INTERIOR_DAMAGE,
                    "The log ends at offset " + endOffset + ", below its checkpoint at " + checkpoint.endOffset()
                            + ".");
        }
        long newest = checkpoint.newestSegmentBase();
        boolean there = segment.baseOffset() >= newest || later.stream().anyMatch(s -> s.baseOffset() == newest);
        if (!there) {
            throw damage(Found.MISSING_SEGMENT, "The segment at offset " + newest + " is missing.");
        }
    }

    /**
     * A segment gets its header and its name when its first frame is written, and a checkpoint names it only when both are synced. So
     * above the checkpoint's newest segment, a power cut may leave a name without a header: nothing in it was ever persisted. A
     * graceful stop may come between a roll and its first frame; what begins where the log ended then holds nothing.
     */
    private static boolean isUnsyncedRoll(
            FoundSegment other, @Nullable Checkpoint checkpoint, @Nullable Checkpoint cleanEnd) {
        if (!FoundSegment.NO_HEADER.equals(other.fault())) {
            return false;
        }
        return cleanEnd == null
                ? checkpoint != null && other.baseOffset() > checkpoint.newestSegmentBase()
                : other.baseOffset() >= cleanEnd.endOffset();
    }

    private void againstWhatFollows(
            FileFrameBytes bytes, @Nullable Checkpoint checkpoint, @Nullable Checkpoint cleanEnd)
            throws IOException, DamageFoundException {
        for (FoundSegment other : later) {
            if (other.fault() != null && !isUnsyncedRoll(other, checkpoint, cleanEnd)) {
                throw damage(
                        other.unreadable() ? Found.READ_ERROR : Found.MISSING_SEGMENT,
                        "The segment at offset " + other.baseOffset() + " " + other.fault() + ".");
            }
            if (other.baseOffset() < endOffset) {
                throw damage(
                        Found.INTERIOR_DAMAGE,
                        "The segment at offset " + other.baseOffset() + " begins before the end of the one before it.");
            }
        }
        if (highestStable > endOffset) {
            throw damage(
                    Found.INTERIOR_DAMAGE,
                    "Frames behind the damage say that everything below offset " + highestStable + " was persisted.");
        }
        if (scanned.stop() == Stop.OFFSET_GAP || scanned.stop() == Stop.EPOCH_WENT_BACK) {
            throw damage(Found.INTERIOR_DAMAGE, "An intact frame does not continue the log: " + scanned.stop() + ".");
        }
        if (BadFrame.isDamaged(bytes, scanned.position(), scanned.stop(), scanned.end(), spec.incarnation())) {
            throw damage(
                    Found.INTERIOR_DAMAGE,
                    "The frame at position " + scanned.position() + " was written whole and is damaged.");
        }
    }

    private void againstCleanEnd(@Nullable Checkpoint cleanEnd) throws DamageFoundException {
        if (cleanEnd == null) {
            return;
        }
        boolean samePlace = cleanEnd.segmentBase() != segment.baseOffset() || cleanEnd.position() == scanned.position();
        if (cleanEnd.endOffset() != endOffset || !samePlace) {
            throw damage(
                    Found.INTERIOR_DAMAGE,
                    "The log ends at offset " + endOffset + ", but the server was stopped when it ended at "
                            + cleanEnd.endOffset() + ".");
        }
    }

    private DamageFoundException damage(Found found, String reason) {
        return new DamageFoundException(found, endOffset, highestEnd, scanned.position(), reason);
    }
}
