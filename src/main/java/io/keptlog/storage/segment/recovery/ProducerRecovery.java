// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.producer.ProducerStates;
import io.keptlog.storage.segment.format.PartitionPaths;
import io.keptlog.storage.segment.format.ProducersFile;
import io.keptlog.storage.segment.format.ProducersFile.Point;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameScanner;
import io.keptlog.storage.segment.scan.FrameVisitor;
import io.keptlog.storage.segment.scan.ScanEnd;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what a log says of its idempotent producers, up to its end: the snapshot and the frames after it, or all frames. A snapshot
 * counts only when the frames after it chain from its point to the log's end, so one that a power cut left ahead of the log, or one of
 * before a cut, is not believed. Reads headers only; changes nothing. Used once, by one thread.
 */
final class ProducerRecovery {
    private static final Logger LOG = LoggerFactory.getLogger(ProducerRecovery.class);

    private final FileLayer files;
    private final PartitionPaths paths;
    private final PartitionSpec spec;
    private boolean snapshotUnusable;
    private long bytesRead;

    ProducerRecovery(FileLayer files, PartitionPaths paths, PartitionSpec spec) {
        this.files = files;
        this.paths = paths;
        this.spec = spec;
    }

    long bytesRead() {
        return bytesRead;
    }

    /**
     * @param segments all of the log, oldest first; the last one ends where the log ends
     * @param nothingBefore a point before which no frame carries a producer, or null when there is no such point
     */
    RecoveredProducers read(List<RecoveredSegment> segments, @Nullable Point nothingBefore) throws IOException {
        ProducersFile.Content snapshot = snapshot();
        if (snapshot != null) {
            Replay replay = new Replay(snapshot.states());
            if (replay(segments, snapshot.point(), replay)) {
                return new RecoveredProducers(
                        replay.states, true, false, snapshot.point().chain().endOffset());
            }
            LOG.info("partition {}: the snapshot of its producers does not fit the log; frames are read", spec.ref());
            snapshotUnusable = true;
        }
        if (nothingBefore != null) {
            Replay replay = new Replay(new ProducerStates());
            if (replay(segments, nothingBefore, replay)) {
                return new RecoveredProducers(replay.states, replay.seen, false, -1);
            }
        }
        return readAll(segments);
    }

    private ProducersFile.@Nullable Content snapshot() {
        try {
            ProducersFile.Content read = ProducersFile.read(files, paths.producers(), spec.incarnation());
            snapshotUnusable = read == null && files.exists(paths.producers());
            return read;
        } catch (IOException e) {
            snapshotUnusable = true;
            LOG.warn("partition {}: the snapshot of its producers cannot be read; frames are read", spec.ref(), e);
            return null;
        }
    }

    /** @return whether the frames chain from the point to the log's end */
    private boolean replay(List<RecoveredSegment> segments, Point from, Replay replay) throws IOException {
        FrameChain chain = from.chain();
        long position = from.position();
        int i = indexOf(segments, from.segmentBase());
        if (i == segments.size()) {
            // The point is the end of a segment that is deleted: the same place is the beginning of the next one.
            i = indexOf(segments, chain.endOffset());
            position = SegmentHeader.FIRST_FRAME_POSITION;
        }
        if (i == segments.size()) {
            return replayWithin(segments, chain, replay);
        }
        return replay(segments, i, position, chain, replay::frame);
    }

    /**
     * The point is the beginning of a segment that a cut put aside before anything was in it, and the one before it went on: the frame that
     * ends there is looked for.
     */
    private boolean replayWithin(List<RecoveredSegment> segments, FrameChain point, Replay replay) throws IOException {
        int i = 0;
        while (i < segments.size() && segments.get(i).summary().end().endOffset() < point.endOffset()) {
            i++;
        }
        if (i == segments.size()) {
            return false;
        }
        boolean[] met = new boolean[1];
        FrameVisitor behindThePoint = (header, headerCrc, position, bytes) -> {
            if (met[0]) {
                replay.frame(header, headerCrc, position, bytes);
            } else {
                met[0] = header.endOffset() == point.endOffset() && headerCrc == point.lastHeaderCrc();
            }
        };
        return replay(segments, i, SegmentHeader.FIRST_FRAME_POSITION, null, behindThePoint) && met[0];
    }

    private boolean replay(
            List<RecoveredSegment> segments,
            int first,
            long firstPosition,
            @Nullable FrameChain from,
            FrameVisitor visitor)
            throws IOException {
        FrameChain chain = from;
        long position = firstPosition;
        for (int i = first; i < segments.size(); i++) {
            ScanEnd end = walk(segments.get(i), position, chain, visitor);
            if (end.position() != segments.get(i).endPosition()) {
                return false;
            }
            chain = end.end();
            position = SegmentHeader.FIRST_FRAME_POSITION;
        }
        if (chain == null) {
            return false;
        }
        FrameChain logEnd = segments.getLast().summary().end();
        return chain.endOffset() == logEnd.endOffset() && chain.lastHeaderCrc() == logEnd.lastHeaderCrc();
    }

    /** The number of segments when none has this base. */
    private static int indexOf(List<RecoveredSegment> segments, long baseOffset) {
        int i = 0;
        while (i < segments.size() && segments.get(i).baseOffset() != baseOffset) {
            i++;
        }
        return i;
    }

    /** A frame below the checkpoint may be damaged: what can be read on both sides of it counts. */
    private RecoveredProducers readAll(List<RecoveredSegment> segments) throws IOException {
        Replay replay = new Replay(new ProducerStates());
        FrameChain chain = null;
        for (RecoveredSegment segment : segments) {
            ScanEnd end = walk(segment, SegmentHeader.FIRST_FRAME_POSITION, chain, replay::frame);
            if (end.position() != segment.endPosition()) {
                LOG.warn(
                        "partition {}: producers' frames between byte {} and {} of the segment at {} cannot be read: {}",
                        spec.ref(),
                        end.position(),
                        segment.endPosition(),
                        segment.baseOffset(),
                        end.stop());
            }
            chain = segment.summary().end();
        }
        // Frames are deleted only when a snapshot knows what they say of producers.
        boolean forgotten = snapshotUnusable && segments.getFirst().baseOffset() > 0;
        return new RecoveredProducers(replay.states, replay.seen, forgotten, -1);
    }

    private ScanEnd walk(RecoveredSegment segment, long position, @Nullable FrameChain chain, FrameVisitor visitor)
            throws IOException {
        try (FileFrameBytes bytes = FileFrameBytes.open(files, segment.file())) {
            var scanner = new FrameScanner(bytes, spec.incarnation());
            FrameChain from = chain == null ? anchor(scanner, segment) : chain;
            ScanEnd end = scanner.walk(position, segment.endPosition(), from, visitor);
            bytesRead += bytes.bytesRead();
            if (end.error() != null) {
                throw end.error();
            }
            return end;
        }
    }

    private FrameChain anchor(FrameScanner scanner, RecoveredSegment segment) throws IOException {
        if (segment.baseOffset() == 0) {
            return FrameChain.beginning(spec.incarnation());
        }
        FrameHeader first = scanner.headerAt(SegmentHeader.FIRST_FRAME_POSITION);
        return new FrameChain(segment.baseOffset(), first == null ? 0 : first.previous(), 0, 0);
    }

    private static final class Replay {
        private final ProducerStates states;
        private boolean seen;

        Replay(ProducerStates states) {
            this.states = states;
        }

        @SuppressWarnings("unused") // the shape of a visitor
        void frame(FrameHeader header, int headerCrc, long position, java.lang.foreign.MemorySegment bytes) {
            ProducerStamp stamp = header.producer();
            if (stamp != null) {
                seen = true;
                states.applied(stamp, header.count(), header.baseOffset(), header.epoch(), header.appendTimeMicros());
            }
        }
    }
}
