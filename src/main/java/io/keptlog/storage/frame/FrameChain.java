// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.frame;

import java.util.zip.CRC32C;

/**
 * A point between two frames: everything the next frame must agree with. Immutable.
 *
 * @param endOffset base offset that the next frame must have, unless it says that it follows a gap
 * @param lastHeaderCrc {@code previous} that the next frame must carry
 * @param epoch the next frame's epoch is not lower
 * @param lastAppendTimeMicros append time of the last frame, 0 before the first
 */
public record FrameChain(long endOffset, int lastHeaderCrc, long epoch, long lastAppendTimeMicros) {

    /** The point before the very first frame of a partition's life. */
    public static FrameChain beginning(long incarnation) {
        return new FrameChain(0, genesis(incarnation), 0, 0);
    }

    /** What the very first frame carries as {@code previous}: derived from the incarnation, so that no two lives share it. */
    public static int genesis(long incarnation) {
        var crc = new CRC32C();
        crc.update(Checksums.seed(incarnation, FrameLayout.MAGIC_VALUE));
        return (int) crc.getValue();
    }

    /** Why a frame does not follow this point; {@code FOLLOWS} when it does. */
    public enum Fit {
        FOLLOWS,
        /** Bytes of an earlier life of this place in the file: another frame came before it. */
        NOT_CHAINED,
        /** Chained, but its offsets do not continue: cannot be written by a sound server. */
        OFFSET_GAP,
        /** Chained, but written under an older epoch: cannot be written by a sound server. */
        EPOCH_WENT_BACK
    }

    public Fit fit(FrameHeader header) {
        if (header.previous() != lastHeaderCrc) {
            return Fit.NOT_CHAINED;
        }
        boolean continues = header.baseOffset() == endOffset || (header.afterGap() && header.baseOffset() > endOffset);
        if (!continues) {
            return Fit.OFFSET_GAP;
        }
        return header.epoch() < epoch ? Fit.EPOCH_WENT_BACK : Fit.FOLLOWS;
    }

    /** The point after this frame. */
    public FrameChain after(FrameHeader header, int headerCrc) {
        return new FrameChain(header.endOffset(), headerCrc, header.epoch(), header.appendTimeMicros());
    }
}
