// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import static io.keptlog.storage.frame.FrameLayout.HEADER_BYTES;

import io.keptlog.domain.Gap;
import io.keptlog.domain.message.RecordLayout;
import io.keptlog.domain.message.RecordRun;
import io.keptlog.storage.cold.ColdReads;
import io.keptlog.storage.frame.Checksums;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.segment.MappedSegment.Mapping;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One read of a log: walks frames from the index's floor on, checks each one it takes (header, chain of offsets, body), and collects runs
 * of records until a limit is met. Used once, by one thread; takes no lock that an append takes.
 * <p>Every frame's body is checked each time it is read, also when only some of its records are wanted: what the page cache holds may have
 * been read back from a disk since it was last checked.
 * <p>Pins what its runs point at; {@link #unpin} lets it go. Lengths and positions in bytes.
 */
final class LogReader {
    private final ColdReads coldReads;
    private final long incarnation;
    private final SegmentList segments;
    private final Tail bound;
    private final int maxMessages;
    private final long maxBytes;

    private final List<RecordRun> runs = new ArrayList<>();
    private final List<Mapping> pins = new ArrayList<>();
    private long expected;
    private int count;
    private long bytes;
    private @Nullable Gap gap;
    private boolean full;

    /**
     * @param bound frames before it are read
     */
    LogReader(ColdReads coldReads, long incarnation, SegmentList segments, Tail bound, int maxMessages, long maxBytes) {
        this.coldReads = coldReads;
        this.incarnation = incarnation;
        this.segments = segments;
        this.bound = bound;
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
    }

    /** Offsets that cannot be read. */
    static final class DamagedException extends Exception {
        private final long fromOffset;
        private final long toOffset;

        DamagedException(long fromOffset, long toOffset, String reason, @Nullable Throwable cause) {
            super(reason, cause);
            this.fromOffset = fromOffset;
            this.toOffset = toOffset;
        }

        long fromOffset() {
            return fromOffset;
        }

        long toOffset() {
            return toOffset;
        }
    }

    List<RecordRun> runs() {
        return List.copyOf(runs);
    }

    int count() {
        return count;
    }

    /** Set when the wanted start, or what follows it, was lost and a repair has left it out. */
    @Nullable
    Gap gap() {
        return gap;
    }

    /** Offset of the first message that was collected, or of the one that would come next. */
    long startOffset() {
        return expected - count;
    }

    void unpin() {
        pins.forEach(Mapping::unpin);
        pins.clear();
    }

    /**
     * Collects from this offset on, which lies at or after the first segment's base and before the bound.
     *
     * @throws DamagedException at the first damage; what was collected before it stays
     * @throws NoSuchFileException a segment was deleted meanwhile; what was collected before it stays
     */
    void collect(long from) throws DamagedException, NoSuchFileException {
        expected = from;
        int i = segments.floor(from);
        while (i < segments.size() && expected < bound.endOffset() && !full()) {
            Segment segment = segments.get(i);
            try {
                collect(segment, end(segment));
            } catch (NoSuchFileException e) {
                throw e;
            } catch (IOException | InternalError e) {
                // InternalError: how a failed disk read of a mapping shows.
                throw new DamagedException(expected, endOffset(segment), "it cannot be read from the disk", e);
            }
            i++;
        }
    }

    private boolean full() {
        return full || count >= maxMessages || (count > 0 && bytes >= maxBytes);
    }

    /** Byte after the last frame to read in this segment. */
    private long end(Segment segment) {
        var sealed = segment.sealed();
        return segment == bound.segment() || sealed == null ? bound.position() : sealed.endPosition();
    }

    private long endOffset(Segment segment) {
        var sealed = segment.sealed();
        return segment == bound.segment() || sealed == null ? bound.endOffset() : sealed.endOffset();
    }

    private void collect(Segment segment, long end) throws IOException, DamagedException {
        Mapping mapping = segment.mapped().pin(end);
        pins.add(mapping);
        MemorySegment memory = mapping.memory();
        long position = segment.index().floorPosition(expected);
        var warm = new WarmPages(coldReads, mapping, end);
        while (position < end && !full()) {
            warm.require(position, HEADER_BYTES);
            FrameHeader header = header(memory, position, end, segment);
            if (header.baseOffset() > expected) {
                if (count > 0) {
                    full = true; // Consecutive messages only: the next read begins in the gap and is told of it.
                    return;
                }
                gap = new Gap(expected, header.baseOffset(), Gap.Reason.DAMAGE);
                expected = header.baseOffset();
            }
            if (header.endOffset() > expected) {
                warm.require(position, header.frameLength());
                take(memory, position, header);
            }
            position += header.frameLength();
        }
    }

    private FrameHeader header(MemorySegment memory, long position, long end, Segment segment) throws DamagedException {
        FrameHeader header =
                position + HEADER_BYTES <= end ? FrameHeader.read(memory, position, position, incarnation) : null;
        if (header == null
                || position + header.frameLength() > end
                || (header.baseOffset() > expected && !header.afterGap())) {
            throw new DamagedException(expected, endOffset(segment), "a frame's header is damaged", null);
        }
        return header;
    }

    private void take(MemorySegment memory, long position, FrameHeader header) throws DamagedException {
        if (Checksums.crcOfMapped(memory, position + HEADER_BYTES, header.bodyLength()) != header.bodyCrc()) {
            throw new DamagedException(
                    Math.max(expected, header.baseOffset()), header.endOffset(), "a frame's checksum is wrong", null);
        }
        MemorySegment body = memory.asSlice(position + HEADER_BYTES, header.bodyLength());
        int skip = (int) (expected - header.baseOffset());
        if (skip == 0 && header.count() <= maxMessages - count && bytes + header.bodyLength() <= maxBytes) {
            add(body, header, 0, header.count());
            return;
        }
        takePart(body, header, skip);
    }

    private void takePart(MemorySegment body, FrameHeader header, int skip) throws DamagedException {
        long at = 0;
        for (int i = 0; i < skip; i++) {
            at += recordLength(body, at, header);
        }
        long from = at;
        int taken = 0;
        long left = maxBytes - bytes;
        while (skip + taken < header.count()
                && count + taken < maxMessages
                && (at - from < left || (count == 0 && taken == 0))) {
            at += recordLength(body, at, header);
            taken++;
        }
        if (taken > 0) {
            add(body.asSlice(from, at - from), header, skip, taken);
        }
    }

    /** The body's checksum was right, so a length that does not fit was written so: still never followed. */
    private static long recordLength(MemorySegment body, long at, FrameHeader header) throws DamagedException {
        long left = body.byteSize() - at;
        long length = left < RecordLayout.HEADER_BYTES
                ? -1
                : Integer.toUnsignedLong(body.get(RecordLayout.U32, at + RecordLayout.LENGTH));
        if (length < RecordLayout.HEADER_BYTES || length > left) {
            throw new DamagedException(
                    header.baseOffset(), header.endOffset(), "its records do not fill their frame", null);
        }
        return length;
    }

    private void add(MemorySegment records, FrameHeader header, int skip, int taken) {
        long first = header.baseOffset() + skip;
        runs.add(new RecordRun(records, first, taken, header.appendTimeMicros(), header.epoch()));
        expected = first + taken;
        count += taken;
        bytes += records.byteSize();
    }

    /**
     * Offset of the first message appended at or after the time, or the bound's end.
     *
     * @param timestampMicros unsigned
     */
    long offsetAt(long timestampMicros) throws DamagedException, NoSuchFileException {
        int i = 0;
        // The last segment that begins before the time; the first such message is in it or begins the next one.
        for (int k = 1; k < segments.size(); k++) {
            long first = segments.get(k).firstAppendTimeMicros();
            if (first == 0 || Long.compareUnsigned(first, timestampMicros) >= 0) {
                break;
            }
            i = k;
        }
        Segment segment = segments.get(i);
        expected = segment.baseOffset();
        if (expected >= bound.endOffset()) {
            return bound.endOffset();
        }
        try {
            return offsetAt(segment, timestampMicros);
        } catch (NoSuchFileException e) {
            throw e;
        } catch (IOException | InternalError e) {
            throw new DamagedException(expected, endOffset(segment), "it cannot be read from the disk", e);
        }
    }

    private long offsetAt(Segment segment, long timestampMicros) throws IOException, DamagedException {
        long end = end(segment);
        Mapping mapping = segment.mapped().pin(end);
        try {
            MemorySegment memory = mapping.memory();
            long position = segment.index().positionBefore(timestampMicros);
            var warm = new WarmPages(coldReads, mapping, end);
            expected = Long.MAX_VALUE;
            while (position < end) {
                warm.require(position, HEADER_BYTES);
                FrameHeader header = header(memory, position, end, segment);
                if (Long.compareUnsigned(header.appendTimeMicros(), timestampMicros) >= 0) {
                    return header.baseOffset();
                }
                position += header.frameLength();
            }
            return endOffset(segment);
        } finally {
            mapping.unpin();
        }
    }
}
