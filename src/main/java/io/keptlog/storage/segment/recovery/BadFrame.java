// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import static io.keptlog.storage.frame.FrameLayout.U32;
import static io.keptlog.storage.frame.FrameLayout.U64;

import io.keptlog.domain.message.RecordLayout;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.segment.scan.FrameBytes;
import io.keptlog.storage.segment.scan.ScanEnd.Stop;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Tells a frame that a crash tore from one that was whole and is damaged. Files are zeroed before they are written, and a sector is
 * written whole or not at all: so a torn frame has a sector that is still zero, or its end is. A whole frame with wrong bytes in it has
 * neither, and cutting it would hide damage.
 */
final class BadFrame {
    private static final int SECTOR_BYTES = 512;
    private static final int SMALLEST_FRAME_BYTES = FrameLayout.frameLength(RecordLayout.HEADER_BYTES);
    /** Padding is shorter than this, so a frame that ends in so many zeros has lost at least the end of its body. */
    private static final int LONGER_THAN_PADDING_BYTES = FrameLayout.ALIGNMENT_BYTES;

    private final FrameBytes bytes;
    private final long position;

    private BadFrame(FrameBytes bytes, long position) {
        this.bytes = bytes;
        this.position = position;
    }

    /**
     * @param position where the next good frame would have to be
     * @param stop what the scan said of that place
     * @param expected the point that the frame would have to follow
     */
    static boolean isDamaged(FrameBytes bytes, long position, Stop stop, FrameChain expected, long incarnation)
            throws IOException {
        if (stop != Stop.BAD_BODY && stop != Stop.NO_HEADER) {
            return false;
        }
        MemorySegment head = bytes.view(position, FrameLayout.HEADER_BYTES);
        if (head.byteSize() < FrameLayout.HEADER_BYTES
                || (stop == Stop.NO_HEADER && !recognisable(head, expected, incarnation))) {
            return false;
        }
        long frameLength = Integer.toUnsignedLong(head.get(U32, FrameLayout.LENGTH));
        long bodyEnd = FrameLayout.HEADER_BYTES + Integer.toUnsignedLong(head.get(U32, FrameLayout.BODY_LENGTH));
        var frame = new BadFrame(bytes, position);
        boolean lengthsAgree =
                frameLength == ((bodyEnd + FrameLayout.ALIGNMENT_BYTES - 1) & -FrameLayout.ALIGNMENT_BYTES);
        // When they do not, one of the two may be what is damaged: the frame is whole when it is whole by either.
        return frame.isWholeByBody(bodyEnd) || (!lengthsAgree && frame.isWholeByLength(frameLength));
    }

    /** Whether at least two of the four fields that must have one certain value have it: one wrong bit spoils only one of them. */
    private static boolean recognisable(MemorySegment head, FrameChain expected, long incarnation) {
        int signs = 0;
        signs += head.get(U32, FrameLayout.MAGIC) == FrameLayout.MAGIC_VALUE ? 1 : 0;
        signs += isNumber(head.get(U64, FrameLayout.INCARNATION), incarnation) ? 1 : 0;
        signs += isNumber(head.get(U64, FrameLayout.BASE_OFFSET), expected.endOffset()) ? 1 : 0;
        signs += isNumber(head.get(U32, FrameLayout.PREVIOUS), expected.lastHeaderCrc()) ? 1 : 0;
        return signs >= 2;
    }

    /** A zero proves nothing: it may just never have been written. */
    private static boolean isNumber(long found, long expected) {
        return found == expected && found != 0;
    }

    private boolean isWholeByBody(long bodyEnd) throws IOException {
        return bodyEnd >= FrameLayout.HEADER_BYTES + RecordLayout.HEADER_BYTES
                && position + bodyEnd <= bytes.sizeBytes()
                && bytes.view(position + bodyEnd - 1, 1).get(ValueLayout.JAVA_BYTE, 0) != 0
                && !hasZeroSector(position + bodyEnd);
    }

    private boolean isWholeByLength(long frameLength) throws IOException {
        long frameEnd = position + frameLength;
        return frameLength >= SMALLEST_FRAME_BYTES
                && frameLength % FrameLayout.ALIGNMENT_BYTES == 0
                && frameEnd <= bytes.sizeBytes()
                && !isZero(frameEnd - LONGER_THAN_PADDING_BYTES, frameEnd)
                && !hasZeroSector(frameEnd - LONGER_THAN_PADDING_BYTES);
    }

    /** Whether the frame's part of some sector is all zero. */
    private boolean hasZeroSector(long contentEnd) throws IOException {
        long from = position;
        while (from < contentEnd) {
            long to = Math.min((from & -SECTOR_BYTES) + SECTOR_BYTES, contentEnd);
            if (isZero(from, to)) {
                return true;
            }
            from = to;
        }
        return false;
    }

    private boolean isZero(long from, long to) throws IOException {
        MemorySegment view = bytes.view(from, to - from);
        for (long i = 0; i < view.byteSize(); i++) {
            if (view.get(ValueLayout.JAVA_BYTE, i) != 0) {
                return false;
            }
        }
        return true;
    }
}
