// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.scan;

import io.keptlog.storage.frame.Checksums;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.segment.scan.ScanEnd.Stop;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of one segment: those that chain from a known point, or every intact one wherever it lies. For recovery, and for
 * whoever else wants to prove or list what is in a segment. Changes nothing; not thread-safe; the bytes belong to the caller.
 */
public final class FrameScanner {
    private static final int ZERO_CHECK_BYTES = 64 << 10;
    private static final long PAGE_BYTES = 4096;
    private static final MemorySegment ZEROS =
            MemorySegment.ofArray(new byte[ZERO_CHECK_BYTES]).asReadOnly();

    private final FrameBytes bytes;
    private final long incarnation;

    public FrameScanner(FrameBytes bytes, long incarnation) {
        this.bytes = bytes;
        this.incarnation = incarnation;
    }

    /** Reads and proves frames, bodies included, as long as each follows the one before it. Never throws for what it finds. */
    public ScanEnd scan(long position, FrameChain from, FrameVisitor visitor) {
        return follow(position, Long.MAX_VALUE, from, true, visitor);
    }

    /** The same, but bodies are passed over, and no frame is looked at from {@code endPosition} on. */
    public ScanEnd walk(long position, long endPosition, FrameChain from, FrameVisitor visitor) {
        return follow(position, endPosition, from, false, visitor);
    }

    private ScanEnd follow(long start, long endPosition, FrameChain from, boolean bodies, FrameVisitor visitor) {
        long position = start;
        FrameChain chain = from;
        try {
            while (position < endPosition) {
                MemorySegment head = bytes.view(position, FrameLayout.HEADER_BYTES);
                FrameHeader header = header(head, position);
                if (header == null) {
                    return new ScanEnd(position, chain, withoutHeader(head), null);
                }
                int headerCrc = FrameHeader.storedCrc(head, 0);
                if (position + header.frameLength() > bytes.sizeBytes()) {
                    return new ScanEnd(position, chain, Stop.TRUNCATED, null);
                }
                MemorySegment frame = bodies ? bytes.view(position, header.frameLength()) : head;
                if (bodies && !bodyIsGood(frame, header)) {
                    return new ScanEnd(position, chain, Stop.BAD_BODY, null);
                }
                FrameChain.Fit fit = chain.fit(header);
                if (fit != FrameChain.Fit.FOLLOWS) {
                    return new ScanEnd(position, chain, stop(fit), null);
                }
                visitor.frame(header, headerCrc, position, frame);
                chain = chain.after(header, headerCrc);
                position += header.frameLength();
            }
            return new ScanEnd(position, chain, Stop.END_OF_FILE, null);
        } catch (IOException e) {
            return new ScanEnd(position, chain, Stop.READ_ERROR, e);
        }
    }

    /**
     * Looks for headers of this life at every place from {@code position} to the end of the file, chained or not, in front of and behind
     * whatever else is there. Bodies are not looked at: {@link #bodyAt}.
     */
    public void search(long position, FrameVisitor visitor) throws IOException {
        long at = align(position);
        while (at + FrameLayout.HEADER_BYTES <= bytes.sizeBytes()) {
            MemorySegment view = bytes.view(at, ZERO_CHECK_BYTES);
            if (view.byteSize() < FrameLayout.HEADER_BYTES) {
                return;
            }
            // The visitor may read bodies through the same bytes, which ends the view: first all places, then the
            // visits.
            long searched = at;
            at += ((view.byteSize() - FrameLayout.HEADER_BYTES) & -FrameLayout.ALIGNMENT_BYTES)
                    + FrameLayout.ALIGNMENT_BYTES;
            if (isZero(view)) {
                at = beyondZeros(at);
                continue;
            }
            for (long found : headersIn(view, searched)) {
                MemorySegment head = bytes.view(found, FrameLayout.HEADER_BYTES);
                FrameHeader header = header(head, found);
                if (header != null) {
                    visitor.frame(header, FrameHeader.storedCrc(head, 0), found, head);
                }
            }
        }
    }

    /**
     * Where to go on behind zeros: a file has much space that was never written, and the file system knows of it without reading. One step
     * back, for a header that begins in the zeros.
     */
    private long beyondZeros(long at) throws IOException {
        return Math.max(at, align(bytes.dataFrom(at)) - FrameLayout.HEADER_BYTES);
    }

    /** Decides about a header that was found. */
    @FunctionalInterface
    public interface HeaderTest {
        boolean accepts(FrameHeader header, long position) throws IOException;
    }

    /**
     * The place of the first header of this life at or after {@code position} that is accepted, chained or not; −1 when there is none.
     * What cannot be read is passed over.
     */
    public long next(long position, HeaderTest test) {
        long at = align(position);
        while (at + FrameLayout.HEADER_BYTES <= bytes.sizeBytes()) {
            long window = ZERO_CHECK_BYTES;
            long[] found;
            try {
                found = headersFrom(at, window);
            } catch (IOException wholeWindow) {
                window = PAGE_BYTES + FrameLayout.HEADER_BYTES;
                try {
                    found = headersFrom(at, window);
                } catch (IOException page) {
                    at = (at & -PAGE_BYTES) + PAGE_BYTES;
                    continue;
                }
            }
            for (long one : found) {
                if (isAccepted(one, test)) {
                    return one;
                }
            }
            at += window - FrameLayout.HEADER_BYTES;
        }
        return -1;
    }

    private long[] headersFrom(long position, long window) throws IOException {
        MemorySegment view = bytes.view(position, window);
        return isZero(view) ? new long[0] : headersIn(view, position);
    }

    private boolean isAccepted(long position, HeaderTest test) {
        try {
            FrameHeader header = headerAt(position);
            return header != null && test.accepts(header, position);
        } catch (IOException e) {
            return false;
        }
    }

    private long[] headersIn(MemorySegment view, long viewPosition) {
        return LongStream.iterate(
                        0, i -> i + FrameLayout.HEADER_BYTES <= view.byteSize(), i -> i + FrameLayout.ALIGNMENT_BYTES)
                .filter(i -> view.get(FrameLayout.U32, i) == FrameLayout.MAGIC_VALUE
                        && FrameHeader.read(view, i, viewPosition + i, incarnation) != null)
                .map(i -> viewPosition + i)
                .toArray();
    }

    /** The header at this place, whether or not it chains; null when there is none. */
    public @Nullable FrameHeader headerAt(long position) throws IOException {
        return header(bytes.view(position, FrameLayout.HEADER_BYTES), position);
    }

    /** Whether the body of a frame that was found is there and good. */
    public boolean bodyAt(long position, FrameHeader header) throws IOException {
        return position + header.frameLength() <= bytes.sizeBytes()
                && bodyIsGood(bytes.view(position, header.frameLength()), header);
    }

    /** Byte after the last one that is not zero, at or after {@code position}; {@code position} when all are zero. */
    public long contentEnd(long position) throws IOException {
        long end = position;
        for (long at = position; at < bytes.sizeBytes(); ) {
            MemorySegment view = bytes.view(at, ZERO_CHECK_BYTES);
            at += ZERO_CHECK_BYTES;
            if (isZero(view)) {
                at = Math.max(at, bytes.dataFrom(at));
            } else {
                long last = view.byteSize() - 1;
                while (view.get(ValueLayout.JAVA_BYTE, last) == 0) {
                    last--;
                }
                end = at - ZERO_CHECK_BYTES + last + 1;
            }
        }
        return end;
    }

    static boolean isZero(MemorySegment view) {
        return firstNotZero(view) == view.byteSize();
    }

    /** @return the view's length when all of it is zero */
    static long firstNotZero(MemorySegment view) {
        for (long at = 0; at < view.byteSize(); at += ZERO_CHECK_BYTES) {
            long length = Math.min(ZERO_CHECK_BYTES, view.byteSize() - at);
            long found = MemorySegment.mismatch(view, at, at + length, ZEROS, 0, length);
            if (found >= 0) {
                return at + found;
            }
        }
        return view.byteSize();
    }

    private @Nullable FrameHeader header(MemorySegment head, long position) {
        return head.byteSize() < FrameLayout.HEADER_BYTES ? null : FrameHeader.read(head, 0, position, incarnation);
    }

    private static Stop withoutHeader(MemorySegment head) {
        if (isZero(head)) {
            return head.byteSize() < FrameLayout.HEADER_BYTES ? Stop.END_OF_FILE : Stop.ZEROS;
        }
        return Stop.NO_HEADER;
    }

    private static boolean bodyIsGood(MemorySegment frame, FrameHeader header) {
        long bodyEnd = FrameLayout.HEADER_BYTES + (long) header.bodyLength();
        return Checksums.crc(frame, FrameLayout.HEADER_BYTES, header.bodyLength()) == header.bodyCrc()
                && isZero(frame.asSlice(bodyEnd, header.frameLength() - bodyEnd));
    }

    private static Stop stop(FrameChain.Fit fit) {
        return switch (fit) {
            case OFFSET_GAP -> Stop.OFFSET_GAP;
            case EPOCH_WENT_BACK -> Stop.EPOCH_WENT_BACK;
            case NOT_CHAINED, FOLLOWS -> Stop.NOT_CHAINED;
        };
    }

    private static long align(long position) {
        return (position + FrameLayout.ALIGNMENT_BYTES - 1) & -FrameLayout.ALIGNMENT_BYTES;
    }
}
