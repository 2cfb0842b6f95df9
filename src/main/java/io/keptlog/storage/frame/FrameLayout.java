// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.frame;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Byte positions inside a frame's header; drawn in the package's description. */
public final class FrameLayout {
    private FrameLayout() {}

    public static final int MAGIC = 0;
    public static final int HEADER_CRC = 4;
    public static final int LENGTH = 8;
    public static final int BODY_CRC = 12;
    public static final int BASE_OFFSET = 16;
    public static final int APPEND_TIME = 24;
    public static final int COUNT = 32;
    public static final int ATTRIBUTES = 36;
    public static final int INCARNATION = 40;
    public static final int EPOCH = 48;
    public static final int PREVIOUS = 56;
    public static final int BODY_LENGTH = 60;
    public static final int STABLE_OFFSET = 64;
    public static final int PRODUCER_ID = 72;
    public static final int PRODUCER_EPOCH = 80;
    public static final int ZERO = 84;
    public static final int PRODUCER_SEQUENCE = 88;

    /** Bytes of the header; the body follows. */
    public static final int HEADER_BYTES = 96;

    /** Frames begin at multiples of this. */
    public static final int ALIGNMENT_BYTES = 8;

    /** "KLF1" as the bytes lie in the file. */
    public static final int MAGIC_VALUE = 0x31_46_4C_4B;

    /** Attribute bit: the producer fields are set. */
    public static final int HAS_PRODUCER = 1;

    /** Attribute bit: the offsets before it up to the frame before it are lost; a repair has left them out on purpose. */
    public static final int AFTER_GAP = 2;

    public static final ValueLayout.OfInt U32 = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong U64 = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Length of a whole frame with a body of this many bytes: header, body, zeros up to the next multiple of 8. */
    public static int frameLength(int bodyLength) {
        return Math.addExact(Math.addExact(HEADER_BYTES, bodyLength), ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
    }
}
