// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.scan;

import io.keptlog.domain.message.RecordLayout;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.scan.ScanEnd.Stop;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and proves a whole segment, bodies included, and does not end at damage: it goes on at the next intact frame. Changes nothing,
 * never throws for what it finds; used once, by one thread.
 */
public final class SegmentWalk {
    /**
     * Frames that chain, one behind the other.
     *
     * @param before the point that the first of them follows
     * @param end the point after the last
     */
    public record Run(long position, long endPosition, FrameChain before, FrameChain end) {}

    /**
     * Bytes between runs, or behind the last, that are no frame of this log.
     *
     * @param fromOffset first offset that is missing
     * @param toOffset exclusive; −1 when nothing intact follows in this segment
     */
    public record Hole(long position, long endPosition, long fromOffset, long toOffset, Stop stop) {}

    /**
     * What a segment holds.
     *
     * @param end the point after its last intact frame
     * @param endPosition byte after that frame
     * @param oddFrames positions of frames whose checksums fit and whose records do not fill them
     */
    public record Result(List<Run> runs, List<Hole> holes, FrameChain end, long endPosition, List<Long> oddFrames) {
        public Result {
            runs = List.copyOf(runs);
            holes = List.copyOf(holes);
            oddFrames = List.copyOf(oddFrames);
        }
    }

    private final FrameBytes bytes;
    private final FrameScanner scanner;
    private final FrameVisitor visitor;
    private final List<Run> runs = new ArrayList<>();
    private final List<Hole> holes = new ArrayList<>();
    private final List<Long> oddFrames = new ArrayList<>();

    private SegmentWalk(FrameBytes bytes, long incarnation, FrameVisitor visitor) {
        this.bytes = bytes;
        this.scanner = new FrameScanner(bytes, incarnation);
        this.visitor = visitor;
    }

    /**
     * @param start the point before the segment's first frame
     * @param visitor sees every intact frame with its body
     */
    public static Result walk(FrameBytes bytes, long incarnation, FrameChain start, FrameVisitor visitor) {
        return new SegmentWalk(bytes, incarnation, visitor).run(start);
    }

    private Result run(FrameChain start) {
        long position = SegmentHeader.FIRST_FRAME_POSITION;
        FrameChain chain = start;
        while (true) {
            ScanEnd scanned = scanner.scan(position, chain, this::frame);
            if (scanned.position() > position) {
                runs.add(new Run(position, scanned.position(), chain, scanned.end()));
            }
            FrameChain end = scanned.end();
            long next = scanner.next(scanned.position(), (header, at) -> follows(header, at, end));
            if (next < 0) {
                long contentEnd = contentEnd(scanned.position());
                if (contentEnd > scanned.position()) {
                    holes.add(new Hole(scanned.position(), contentEnd, end.endOffset(), -1, scanned.stop()));
                }
                return new Result(runs, holes, end, scanned.position(), oddFrames);
            }
            FrameHeader header = header(next);
            holes.add(new Hole(scanned.position(), next, end.endOffset(), header.baseOffset(), scanned.stop()));
            chain = new FrameChain(header.baseOffset(), header.previous(), header.epoch(), header.appendTimeMicros());
            position = next;
        }
    }

    /** A frame of an older epoch or of offsets that are there already is left from before a cut. */
    private boolean follows(FrameHeader header, long position, FrameChain end) throws IOException {
        return header.baseOffset() >= end.endOffset()
                && header.epoch() >= end.epoch()
                && scanner.bodyAt(position, header);
    }

    private FrameHeader header(long position) {
        try {
            FrameHeader header = scanner.headerAt(position);
            if (header != null) {
                return header;
            }
        } catch (IOException e) {
            throw new IllegalStateException("a frame that was read cannot be read again", e);
        }
        throw new IllegalStateException("a frame that was read is gone");
    }

    private long contentEnd(long position) {
        try {
            return scanner.contentEnd(position);
        } catch (IOException unreadable) {
            return bytes.sizeBytes();
        }
    }

    private void frame(FrameHeader header, int headerCrc, long position, MemorySegment frame) {
        if (!recordsFill(frame, header)) {
            oddFrames.add(position);
        }
        visitor.frame(header, headerCrc, position, frame);
    }

    private static boolean recordsFill(MemorySegment frame, FrameHeader header) {
        long end = FrameLayout.HEADER_BYTES + (long) header.bodyLength();
        long at = FrameLayout.HEADER_BYTES;
        for (int i = 0; i < header.count(); i++) {
            if (end - at < RecordLayout.HEADER_BYTES) {
                return false;
            }
            long length = Integer.toUnsignedLong(frame.get(RecordLayout.U32, at + RecordLayout.LENGTH));
            if (length < RecordLayout.HEADER_BYTES || length > end - at) {
                return false;
            }
            at += length;
        }
        return at == end;
    }
}
