// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static io.keptlog.storage.frame.FrameLayout.U32;
import static io.keptlog.storage.frame.FrameLayout.U64;

import io.keptlog.storage.frame.Checksums;
import io.keptlog.storage.frame.FrameChain;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Evidence of what a partition's log had on stable storage: a log that ends below it is damaged. Immutable. Little-endian, one slot:
 *
 * <pre>
 *  0  u32  magic "KLCP"
 *  4  u32  CRC32C of the bytes from 8 to 104
 *  8  u64  sequence: higher is newer
 * 16  u64  incarnation
 * 24  u64  first offset: segments that end at or before it are deleted, or about to be
 * 32  u64  base offset of the newest segment whose name is on stable storage
 * 40  u64  base offset of the segment that the end lies in
 * 48  u64  position of the end in that segment
 * 56  u64  end offset: everything before it is on stable storage
 * 64  u32  header CRC of the last frame before the end
 * 68  u32  zero
 * 72  u64  epoch of that frame
 * 80  u64  append time of that frame, microseconds since the epoch
 * 88  u64  1 when frames before the end may carry a producer, else 0
 * 96  u64  zero
 * </pre>
 *
 * @param newestSegmentBase at least {@code segmentBase}
 * @param end the point after the last persisted frame
 * @param producers whether frames before the end may carry a producer: when not, nothing needs to be known of producers below it
 */
public record Checkpoint(
        long sequence,
        long incarnation,
        long firstOffset,
        long newestSegmentBase,
        long segmentBase,
        long position,
        FrameChain end,
        boolean producers) {
    /** Bytes that one checkpoint takes in a file; less than a sector, which is written whole or not at all. */
    public static final int BYTES = 104;

    private static final int MAGIC_VALUE = 0x50_43_4C_4B;
    private static final int CRC = 4;
    private static final int SEQUENCE = 8;
    private static final int INCARNATION = 16;
    private static final int FIRST_OFFSET = 24;
    private static final int NEWEST = 32;
    private static final int SEGMENT = 40;
    private static final int POSITION = 48;
    private static final int END_OFFSET = 56;
    private static final int LAST_CRC = 64;
    private static final int EPOCH = 72;
    private static final int TIME = 80;
    private static final int PRODUCERS = 88;

    public Checkpoint {
        if (!sound(sequence, firstOffset, newestSegmentBase, segmentBase, position, end.endOffset())) {
            throw new IllegalArgumentException("checkpoint " + sequence + ": first " + firstOffset + ", segment "
                    + segmentBase + " of " + newestSegmentBase + ", position " + position + ", end " + end.endOffset());
        }
    }

    /** The first one, written when a partition is prepared: nothing was ever appended. */
    public static Checkpoint beginning(long incarnation) {
        return new Checkpoint(
                1, incarnation, 0, 0, 0, SegmentHeader.FIRST_FRAME_POSITION, FrameChain.beginning(incarnation), false);
    }

    public long endOffset() {
        return end.endOffset();
    }

    /** The one after this. */
    public Checkpoint next(long newFirstOffset, long newNewestBase, long newBase, long newPosition, FrameChain newEnd) {
        return new Checkpoint(
                sequence + 1, incarnation, newFirstOffset, newNewestBase, newBase, newPosition, newEnd, producers);
    }

    /** The same; frames before its end carry producers when {@code seen}, or when it said so already. */
    public Checkpoint withProducers(boolean seen) {
        return new Checkpoint(
                sequence, incarnation, firstOffset, newestSegmentBase, segmentBase, position, end, producers || seen);
    }

    /** The same with a sequence above the other's. */
    public Checkpoint after(Checkpoint other) {
        return new Checkpoint(
                Math.max(sequence, other.sequence + 1),
                incarnation,
                firstOffset,
                newestSegmentBase,
                segmentBase,
                position,
                end,
                producers);
    }

    /** Whether the other says the same, whatever their sequences. */
    public boolean saysTheSameAs(Checkpoint other) {
        return equals(new Checkpoint(
                sequence,
                other.incarnation,
                other.firstOffset,
                other.newestSegmentBase,
                other.segmentBase,
                other.position,
                other.end,
                other.producers));
    }

    public void write(MemorySegment into, long at) {
        into.asSlice(at, BYTES).fill((byte) 0);
        into.set(U32, at, MAGIC_VALUE);
        into.set(U64, at + SEQUENCE, sequence);
        into.set(U64, at + INCARNATION, incarnation);
        into.set(U64, at + FIRST_OFFSET, firstOffset);
        into.set(U64, at + NEWEST, newestSegmentBase);
        into.set(U64, at + SEGMENT, segmentBase);
        into.set(U64, at + POSITION, position);
        into.set(U64, at + END_OFFSET, end.endOffset());
        into.set(U32, at + LAST_CRC, end.lastHeaderCrc());
        into.set(U64, at + EPOCH, end.epoch());
        into.set(U64, at + TIME, end.lastAppendTimeMicros());
        into.set(U64, at + PRODUCERS, producers ? 1 : 0);
        into.set(U32, at + CRC, Checksums.crc(into, at + SEQUENCE, BYTES - SEQUENCE));
    }

    /**
     * Reads and checks one.
     *
     * @return null when there is none here
     */
    public static @Nullable Checkpoint read(MemorySegment from, long at) {
        if (from.byteSize() < at + BYTES
                || from.get(U32, at) != MAGIC_VALUE
                || from.get(U32, at + CRC) != Checksums.crc(from, at + SEQUENCE, BYTES - SEQUENCE)) {
            return null;
        }
        long sequence = from.get(U64, at + SEQUENCE);
        long first = from.get(U64, at + FIRST_OFFSET);
        long newest = from.get(U64, at + NEWEST);
        long segment = from.get(U64, at + SEGMENT);
        long position = from.get(U64, at + POSITION);
        long endOffset = from.get(U64, at + END_OFFSET);
        if (!sound(sequence, first, newest, segment, position, endOffset)) {
            return null;
        }
        var end = new FrameChain(
                endOffset, from.get(U32, at + LAST_CRC), from.get(U64, at + EPOCH), from.get(U64, at + TIME));
        boolean producers = from.get(U64, at + PRODUCERS) != 0;
        return new Checkpoint(
                sequence, from.get(U64, at + INCARNATION), first, newest, segment, position, end, producers);
    }

    private static boolean sound(long sequence, long first, long newest, long segment, long position, long endOffset) {
        return sequence > 0
                && first >= 0
                && segment >= 0
                && newest >= segment
                && position >= SegmentHeader.FIRST_FRAME_POSITION
                && endOffset >= segment
                && endOffset >= first;
    }
}
