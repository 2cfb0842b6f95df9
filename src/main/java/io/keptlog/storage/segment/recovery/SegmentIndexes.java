// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.IndexFile;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.format.SparseIndex;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.ScanEnd;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Indexes of a partition's segments: taken from their files when these prove themselves, else made from the frames. Reads only; what it
 * makes is written by whoever may write. Safe for any number of threads.
 */
final class SegmentIndexes {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentIndexes.class);

    private final FileLayer files;
    private final PartitionPaths paths;
    private final PartitionSpec spec;
    private final PartitionReports reports;

    SegmentIndexes(FileLayer files, PartitionPaths paths, PartitionSpec spec, PartitionReports reports) {
        this.files = files;
        this.paths = paths;
        this.spec = spec;
        this.reports = reports;
    }

    /**
     * A segment read from its first frame to its end.
     *
     * @param summary of the good part
     * @param end why it ends there
     */
    record Made(SegmentSummary summary, SparseIndex index, ScanEnd end, long bytesRead) {}

    /** What the index file says of the segment, or null when there is none that proves itself. */
    @Nullable
    SegmentSummary summaryOnDisk(long baseOffset) {
        try {
            return IndexFile.summary(files, paths.index(baseOffset), spec.incarnation(), baseOffset);
        } catch (IOException e) {
            LOG.warn("index of segment {} of partition {} cannot be read", baseOffset, spec.ref(), e);
            return null;
        }
    }

    /**
     * Whether an index that does not prove itself, or is not there, was there once. It is written a moment after its segment is sealed,
     * oldest first, and at the latest by a graceful stop; a kill before that leaves none.
     *
     * @param cleanEnd of a graceful stop, or null
     */
    boolean isLost(FoundSegment segment, List<FoundSegment> kept, @Nullable Checkpoint cleanEnd) {
        return cleanEnd != null
                || kept.stream()
                        .filter(s -> s.baseOffset() >= segment.baseOffset())
                        .anyMatch(s -> files.exists(paths.index(s.baseOffset())));
    }

    /** Reads and proves the whole segment. */
    Made make(long baseOffset, @Nullable FrameChain before) throws IOException {
        try (FileFrameBytes bytes = FileFrameBytes.open(files, paths.log(baseOffset))) {
            var scanner = new FrameScanner(bytes, spec.incarnation());
            var tally = new SegmentTally(new SparseIndex(baseOffset), EpochHistory.EMPTY, 0);
            FrameChain start = before == null ? anchor(scanner, baseOffset) : before;
            ScanEnd end = scanner.scan(SegmentHeader.FIRST_FRAME_POSITION, start, tally);
            var summary = new SegmentSummary(baseOffset, end.position(), tally.firstAppendTimeMicros(), end.end());
            return new Made(summary, tally.index(), end, bytes.bytesRead());
        }
    }

    /** The index of a sealed segment whose file's first bytes are good; its entries are read when they are first needed. */
    SparseIndex onDisk(SegmentSummary summary) {
        return new SparseIndex(summary.baseOffset(), summary.endPosition(), () -> load(summary));
    }

    /** The index of a segment of which only frames from {@code position} on were read; the rest is read when it is first needed. */
    SparseIndex from(long baseOffset, long position) {
        return new SparseIndex(baseOffset, position, () -> walk(baseOffset, position));
    }

    private SparseIndex load(SegmentSummary summary) throws IOException {
        var path = paths.index(summary.baseOffset());
        try {
            SparseIndex loaded = IndexFile.load(files, path, spec.incarnation(), summary);
            if (loaded != null) {
                return loaded;
            }
        } catch (IOException e) {
            LOG.warn("index {} cannot be read", path, e);
        }
        SparseIndex made = walk(summary.baseOffset(), summary.endPosition());
        try {
            reports.indexRebuilt(summary);
            IndexFile.write(files, path, spec.incarnation(), summary, made);
        } catch (IOException | KeptlogException e) {
            // The index is a cache: the one in memory serves, and the next start makes it again.
            LOG.warn("index {} could not be written", path, e);
        }
        return made;
    }

    private SparseIndex walk(long baseOffset, long endPosition) throws IOException {
        return walk(baseOffset, endPosition, EpochHistory.EMPTY).index();
    }

    /** With the epochs of a segment's frames up to {@code endPosition}. */
    EpochHistory epochs(long baseOffset, long endPosition, EpochHistory before) throws IOException {
        return walk(baseOffset, endPosition, before).epochs();
    }

    private SegmentTally walk(long baseOffset, long endPosition, EpochHistory before) throws IOException {
        try (FileFrameBytes bytes = FileFrameBytes.open(files, paths.log(baseOffset))) {
            var scanner = new FrameScanner(bytes, spec.incarnation());
            var tally = new SegmentTally(new SparseIndex(baseOffset), before, 0);
            FrameChain start = anchor(scanner, baseOffset);
            ScanEnd end = scanner.walk(SegmentHeader.FIRST_FRAME_POSITION, endPosition, start, tally);
            if (end.stop() == ScanEnd.Stop.READ_ERROR && end.error() != null) {
                throw end.error();
            }
            return tally;
        }
    }

    /** The point before a segment's first frame, when the segment before it is gone or was not read: what the frame itself says. */
    FrameChain anchor(FrameScanner scanner, long baseOffset) throws IOException {
        if (baseOffset == 0) {
            return FrameChain.beginning(spec.incarnation());
        }
        FrameHeader first = scanner.headerAt(SegmentHeader.FIRST_FRAME_POSITION);
        return new FrameChain(baseOffset, first == null ? 0 : first.previous(), 0, 0);
    }
}
