// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.RecoveryReport.Found;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.EpochFile;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.ProducersFile.Point;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.ScanEnd;
import io.keptlog.storage.segment.scan.ScanEnd.Stop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one partition's files, from its checkpoint to the end of all allocated space, and says what they are. Changes nothing. What
 * lies below the checkpoint is known from the segments' headers and indexes and is not read, so the cost does not grow with the log.
 * Used once, by one thread.
 */
final class Examination {
    private final FileLayer files;
    private final PartitionPaths paths;
    private final PartitionSpec spec;
    private final @Nullable Checkpoint cleanEnd;
    private final SegmentIndexes indexes;

    private final List<RecoveredSegment> readable = new ArrayList<>();
    private final List<Diagnosis.MadeIndex> made = new ArrayList<>();
    private List<FoundSegment> leftovers = List.of();
    private List<FoundSegment> kept = List.of();
    private List<FoundSegment> later = List.of();
    private CheckpointFile.Content evidence = new CheckpointFile.Content(null, null, false);
    private FrameChain end;
    private long firstOffset;
    private Diagnosis.@Nullable Tail tail;
    private EpochHistory epochs = EpochHistory.EMPTY;
    private @Nullable EpochHistory epochsOnDisk;
    private boolean epochsDamaged;
    private RecoveredProducers producers = RecoveredProducers.nothing();
    private boolean producerSeen;
    private long bytesRead;

    Examination(
            FileLayer files,
            PartitionPaths paths,
            PartitionSpec spec,
            @Nullable Checkpoint cleanEnd,
            SegmentIndexes indexes) {
        this.files = files;
        this.paths = paths;
        this.spec = spec;
        this.cleanEnd = cleanEnd;
        this.indexes = indexes;
        this.end = FrameChain.beginning(spec.incarnation());
    }

    Diagnosis run() {
        Diagnosis.Trouble damage = null;
        try {
            examine();
        } catch (DamageFoundException e) {
            damage = e.trouble();
        } catch (IOException e) {
            damage = new Diagnosis.Trouble(
                    Found.READ_ERROR, end.endOffset(), evidenceEnd(), -1, "The disk refused to read: " + e);
        }
        return new Diagnosis(
                List.copyOf(readable),
                firstOffset,
                end,
                damage == null ? tail : null,
                damage,
                later,
                leftovers,
                evidence,
                epochs.cutAt(end.endOffset()).from(firstOffset),
                epochsOnDisk,
                epochsDamaged,
                List.copyOf(made),
                producers,
                bytesRead);
    }

    private void examine() throws IOException, DamageFoundException {
        if (!files.isDirectory(paths.directory())) {
            throw new DamageFoundException(Found.MISSING_PARTITION, 0, -1, -1, "The partition's directory is missing.");
        }
        evidence = CheckpointFile.read(files, paths.checkpoint(), spec.incarnation());
        epochsOnDisk = EpochFile.read(files, paths.epochs(), spec.incarnation());
        epochs = epochsOnDisk == null ? EpochHistory.EMPTY : epochsOnDisk;
        findSegments();
        ScanStart start = ScanStart.choose(evidence, kept);
        readSealedBelow(start);
        if (start.missingBase() >= 0) {
            throw missing(start.missingBase());
        }
        readFrames(start);
        readProducers(start);
    }

    /** Costs nothing as long as no producer has ever written. */
    private void readProducers(ScanStart start) throws IOException {
        if (!start.producersBelow() && !producerSeen) {
            return;
        }
        FrameChain chain = start.chain() == null && start.segment() > 0
                ? readable.get(start.segment() - 1).summary().end()
                : start.chain();
        Point nothingBefore = start.producersBelow() || chain == null
                ? null
                : new Point(readable.get(start.segment()).baseOffset(), start.position(), chain);
        var recovery = new ProducerRecovery(files, paths, spec);
        producers = recovery.read(readable, nothingBefore);
        bytesRead += recovery.bytesRead();
    }

    /** Sorts what is there into segments that count and segments whose deletion was decided. */
    private void findSegments() throws IOException, DamageFoundException {
        List<FoundSegment> found = FoundSegment.list(files, paths, spec);
        Checkpoint newest = evidence.newest();
        if (found.isEmpty()) {
            throw new DamageFoundException(
                    Found.MISSING_SEGMENT, firstOffset, evidenceEnd(), -1, "The partition has no segment.");
        }
        firstOffset = newest == null ? found.getFirst().baseOffset() : newest.firstOffset();
        end = new FrameChain(firstOffset, end.lastHeaderCrc(), 0, 0);
        kept = found.stream().filter(s -> s.baseOffset() >= firstOffset).toList();
        if (kept.isEmpty() || kept.getFirst().baseOffset() != firstOffset) {
            throw missing(firstOffset);
        }
        leftovers = found.stream().filter(s -> s.baseOffset() < firstOffset).toList();
    }

    private void readSealedBelow(ScanStart start) throws IOException, DamageFoundException {
        for (int i = 0; i < start.segment(); i++) {
            FoundSegment segment = usable(kept.get(i));
            boolean lastBeforeMissing = start.missingBase() >= 0 && i == start.segment() - 1;
            FoundSegment next = lastBeforeMissing ? null : kept.get(i + 1);
            long nextBase = next == null ? start.missingBase() : next.baseOffset();
            SegmentSummary summary = indexes.summaryOnDisk(segment.baseOffset());
            if (summary != null
                    && summary.endOffset() == nextBase
                    && summary.endPosition() <= segment.sizeBytes()
                    && (next == null
                            || next.firstFrame() == null
                            || next.firstFrame().previous() == summary.end().lastHeaderCrc())) {
                add(new RecoveredSegment(summary, segment.file(), true, indexes.onDisk(summary)));
            } else {
                makeSealed(segment, nextBase);
            }
        }
    }

    private void makeSealed(FoundSegment segment, long nextBase) throws IOException, DamageFoundException {
        SegmentIndexes.Made read = indexes.make(segment.baseOffset(), readable.isEmpty() ? null : end);
        bytesRead += read.bytesRead();
        var recovered = new RecoveredSegment(read.summary(), segment.file(), true, read.index());
        add(recovered);
        if (read.summary().endOffset() != nextBase) {
            throw new DamageFoundException(
                    read.end().stop() == Stop.READ_ERROR ? Found.READ_ERROR : Found.INTERIOR_DAMAGE,
                    end.endOffset(),
                    Math.max(nextBase, evidenceEnd()),
                    read.summary().endPosition(),
                    "The segment at offset " + segment.baseOffset() + " is readable up to offset " + end.endOffset()
                            + " (" + read.end().stop() + "), the next one begins at " + nextBase + ".");
        }
        made.add(new Diagnosis.MadeIndex(recovered, indexes.isLost(segment, kept, cleanEnd)));
    }

    /** Reads and proves every frame from the start to the end of the log, across segments. */
    private void readFrames(ScanStart start) throws IOException, DamageFoundException {
        int i = start.segment();
        long position = start.position();
        FrameChain chain = start.chain() != null || readable.isEmpty() ? start.chain() : end;
        while (true) {
            FoundSegment segment = usable(kept.get(i));
            later = kept.subList(i + 1, kept.size());
            if (segment.sizeBytes() < position) {
                throw shorterThanCheckpoint(segment, position);
            }
            try (FileFrameBytes bytes = FileFrameBytes.openSparse(files, segment.file())) {
                var scanner = new FrameScanner(bytes, spec.incarnation());
                if (chain == null) {
                    chain = indexes.anchor(scanner, segment.baseOffset());
                }
                if (readable.size() == start.segment()) {
                    readEpochs(segment, position, chain);
                }
                long first =
                        segment.firstFrame() == null ? 0 : segment.firstFrame().appendTimeMicros();
                var tally = new SegmentTally(indexes.from(segment.baseOffset(), position), epochs, first);
                ScanEnd scanned = scanner.scan(position, chain, tally);
                epochs = tally.epochs();
                producerSeen |= tally.producerSeen();
                boolean goesOn = !later.isEmpty()
                        && later.getFirst().fault() == null
                        && later.getFirst().baseOffset() == scanned.end().endOffset();
                seal(segment, scanned, tally, position, goesOn);
                if (!goesOn) {
                    judge(segment, scanned, bytes);
                    return;
                }
                bytesRead += bytes.bytesRead();
                chain = scanned.end();
            }
            i++;
            position = SegmentHeader.FIRST_FRAME_POSITION;
        }
    }

    private void judge(FoundSegment segment, ScanEnd scanned, FileFrameBytes bytes)
            throws IOException, DamageFoundException {
        try {
            tail = new TailEvidence(files, spec, segment, later, scanned).judge(bytes, evidence.newest(), cleanEnd);
        } finally {
            bytesRead += bytes.bytesRead();
        }
    }

    private void seal(FoundSegment segment, ScanEnd scanned, SegmentTally tally, long startedAt, boolean sealed)
            throws IOException, DamageFoundException {
        long first = scanned.position() == SegmentHeader.FIRST_FRAME_POSITION ? 0 : tally.firstAppendTimeMicros();
        var summary = new SegmentSummary(segment.baseOffset(), scanned.position(), first, scanned.end());
        if (!sealed) {
            add(new RecoveredSegment(summary, segment.file(), false, tally.index()));
        } else if (summary.equals(indexes.summaryOnDisk(segment.baseOffset()))) {
            add(new RecoveredSegment(summary, segment.file(), true, indexes.onDisk(summary)));
        } else if (startedAt == SegmentHeader.FIRST_FRAME_POSITION) {
            var recovered = new RecoveredSegment(summary, segment.file(), true, tally.index());
            add(recovered);
            made.add(new Diagnosis.MadeIndex(recovered, indexes.isLost(segment, kept, cleanEnd)));
        } else {
            makeSealed(segment, scanned.end().endOffset());
        }
    }

    /** Takes the epochs below the start from their file when they agree with the start, else from the frames. */
    private void readEpochs(FoundSegment segment, long position, FrameChain start) throws IOException {
        boolean nothingBelow = start.endOffset() == firstOffset;
        boolean agrees = epochsOnDisk != null
                && (nothingBelow || epochsOnDisk.cutAt(start.endOffset()).newest() == start.epoch());
        epochsDamaged = !agrees && files.exists(paths.epochs());
        if (agrees || nothingBelow) {
            epochs = epochs.cutAt(start.endOffset());
            return;
        }
        EpochHistory below = EpochHistory.EMPTY;
        for (RecoveredSegment sealed : readable) {
            below = indexes.epochs(sealed.baseOffset(), sealed.endPosition(), below);
        }
        epochs = indexes.epochs(segment.baseOffset(), position, below);
    }

    private FoundSegment usable(FoundSegment segment) throws DamageFoundException {
        if (segment.fault() != null) {
            throw new DamageFoundException(
                    segment.unreadable() ? Found.READ_ERROR : Found.MISSING_SEGMENT,
                    end.endOffset(),
                    evidenceEnd(),
                    -1,
                    "The segment at offset " + segment.baseOffset() + " " + segment.fault() + ".");
        }
        return segment;
    }

    private void add(RecoveredSegment segment) {
        readable.add(segment);
        end = segment.summary().end();
    }

    private long evidenceEnd() {
        Checkpoint newest = evidence.newest();
        return newest == null ? -1 : newest.endOffset();
    }

    private DamageFoundException shorterThanCheckpoint(FoundSegment segment, long position) throws IOException {
        SegmentIndexes.Made read = indexes.make(segment.baseOffset(), readable.isEmpty() ? null : end);
        bytesRead += read.bytesRead();
        add(new RecoveredSegment(read.summary(), segment.file(), false, read.index()));
        return new DamageFoundException(
                Found.INTERIOR_DAMAGE,
                end.endOffset(),
                evidenceEnd(),
                read.summary().endPosition(),
                "The segment at offset " + segment.baseOffset() + " ends at byte " + segment.sizeBytes()
                        + ", below its checkpoint at byte " + position + ".");
    }

    private DamageFoundException missing(long baseOffset) {
        return new DamageFoundException(
                Found.MISSING_SEGMENT,
                end.endOffset(),
                evidenceEnd(),
                -1,
                "The segment at offset " + baseOffset + " is missing.");
    }
}
