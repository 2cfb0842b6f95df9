// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.frame;

import static io.keptlog.storage.frame.FrameLayout.U32;
import static io.keptlog.storage.frame.FrameLayout.U64;

import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.domain.message.RecordLayout;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The header of one frame, as values. Immutable; writing and reading touch only the caller's memory and throw nothing but bounds
 * errors. A header that reads back has the magic number, fields that agree with each other, and a checksum that fits this very file
 * position and incarnation; whether its frame follows the one before it is for {@link FrameChain} to say.
 *
 * @param bodyLength bytes of records, without padding
 * @param bodyCrc CRC32C of the records
 * @param appendTimeMicros microseconds since the epoch
 * @param count messages, at least 1
 * @param epoch boot number of the server that wrote it
 * @param previous header CRC of the frame before it, or {@link FrameChain#genesis} of the incarnation
 * @param stableOffset the partition's persisted end when the frame was written
 * @param producer who sent it, when it said so
 * @param afterGap whether a repair has left out what was lost before it: its base offset may then lie beyond the end of the frame before
 */
public record FrameHeader(
        int bodyLength,
        int bodyCrc,
        long baseOffset,
        long appendTimeMicros,
        int count,
        long incarnation,
        long epoch,
        int previous,
        long stableOffset,
        @Nullable ProducerStamp producer,
        boolean afterGap) {

    /** A frame that continues the offsets of the one before it. */
    public FrameHeader(
            int bodyLength,
            int bodyCrc,
            long baseOffset,
            long appendTimeMicros,
            int count,
            long incarnation,
            long epoch,
            int previous,
            long stableOffset,
            @Nullable ProducerStamp producer) {
        this(
                bodyLength,
                bodyCrc,
                baseOffset,
                appendTimeMicros,
                count,
                incarnation,
                epoch,
                previous,
                stableOffset,
                producer,
                false);
    }

    public FrameHeader {
        if (count < 1 || bodyLength < (long) count * RecordLayout.HEADER_BYTES) {
            throw new IllegalArgumentException(count + " messages in " + bodyLength + " bytes");
        }
        if (baseOffset < 0 || stableOffset < 0 || epoch < 0 || stableOffset > baseOffset) {
            throw new IllegalArgumentException(
                    "base offset " + baseOffset + ", stable offset " + stableOffset + ", epoch " + epoch);
        }
    }

    /** Header, body and padding; bytes. */
    public int frameLength() {
        return FrameLayout.frameLength(bodyLength);
    }

    /** Offset after the last message. */
    public long endOffset() {
        return baseOffset + count;
    }

    /**
     * Writes the 96 bytes of the header.
     *
     * @param at where in {@code into}
     * @param position where in the file the frame will lie; part of the checksum (an entry of a ledger uses its entry number)
     * @return the header's CRC, which is the {@code previous} of the next frame
     */
    public int write(MemorySegment into, long at, long position) {
        into.set(U32, at + FrameLayout.MAGIC, FrameLayout.MAGIC_VALUE);
        into.set(U32, at + FrameLayout.LENGTH, frameLength());
        into.set(U32, at + FrameLayout.BODY_CRC, bodyCrc);
        into.set(U64, at + FrameLayout.BASE_OFFSET, baseOffset);
        into.set(U64, at + FrameLayout.APPEND_TIME, appendTimeMicros);
        into.set(U32, at + FrameLayout.COUNT, count);
        into.set(
                U32,
                at + FrameLayout.ATTRIBUTES,
                (producer == null ? 0 : FrameLayout.HAS_PRODUCER) | (afterGap ? FrameLayout.AFTER_GAP : 0));
        into.set(U64, at + FrameLayout.INCARNATION, incarnation);
        into.set(U64, at + FrameLayout.EPOCH, epoch);
        into.set(U32, at + FrameLayout.PREVIOUS, previous);
        into.set(U32, at + FrameLayout.BODY_LENGTH, bodyLength);
        into.set(U64, at + FrameLayout.STABLE_OFFSET, stableOffset);
        into.set(U64, at + FrameLayout.PRODUCER_ID, producer == null ? 0 : producer.producerId());
        into.set(U32, at + FrameLayout.PRODUCER_EPOCH, producer == null ? 0 : producer.epoch());
        into.set(U32, at + FrameLayout.ZERO, 0);
        into.set(U64, at + FrameLayout.PRODUCER_SEQUENCE, producer == null ? 0 : producer.sequence());
        int crc = Checksums.header(into, at, position, incarnation);
        into.set(U32, at + FrameLayout.HEADER_CRC, crc);
        return crc;
    }

    /**
     * Reads a header and checks it. Says nothing about the body and about the frame before it.
     *
     * @param at where in {@code from}; at least 96 bytes must follow
     * @param position where in the file the frame lies
     * @param incarnation of the partition that the frame must belong to
     * @return null when there is no such header here
     */
    public static @Nullable FrameHeader read(MemorySegment from, long at, long position, long incarnation) {
        if (from.get(U32, at + FrameLayout.MAGIC) != FrameLayout.MAGIC_VALUE
                || from.get(U64, at + FrameLayout.INCARNATION) != incarnation
                || from.get(U32, at + FrameLayout.HEADER_CRC) != Checksums.header(from, at, position, incarnation)) {
            return null;
        }
        int count = from.get(U32, at + FrameLayout.COUNT);
        int bodyLength = from.get(U32, at + FrameLayout.BODY_LENGTH);
        long baseOffset = from.get(U64, at + FrameLayout.BASE_OFFSET);
        long epoch = from.get(U64, at + FrameLayout.EPOCH);
        long stableOffset = from.get(U64, at + FrameLayout.STABLE_OFFSET);
        if (count < 1
                || bodyLength < (long) count * RecordLayout.HEADER_BYTES
                || bodyLength > Integer.MAX_VALUE - FrameLayout.HEADER_BYTES - FrameLayout.ALIGNMENT_BYTES
                || from.get(U32, at + FrameLayout.LENGTH) != FrameLayout.frameLength(bodyLength)
                || baseOffset < 0
                || epoch < 0
                || stableOffset < 0
                || stableOffset > baseOffset) {
            return null;
        }
        return new FrameHeader(
                bodyLength,
                from.get(U32, at + FrameLayout.BODY_CRC),
                baseOffset,
                from.get(U64, at + FrameLayout.APPEND_TIME),
                count,
                incarnation,
                epoch,
                from.get(U32, at + FrameLayout.PREVIOUS),
                stableOffset,
                producer(from, at),
                (from.get(U32, at + FrameLayout.ATTRIBUTES) & FrameLayout.AFTER_GAP) != 0);
    }

    /** The same frame's header behind another frame. */
    public FrameHeader behind(FrameChain before) {
        return new FrameHeader(
                bodyLength,
                bodyCrc,
                baseOffset,
                appendTimeMicros,
                count,
                incarnation,
                epoch,
                before.lastHeaderCrc(),
                stableOffset,
                producer,
                baseOffset > before.endOffset());
    }

    /** The stored checksum of the header at this place, which the next frame carries as {@code previous}. */
    public static int storedCrc(MemorySegment from, long at) {
        return from.get(U32, at + FrameLayout.HEADER_CRC);
    }

    private static @Nullable ProducerStamp producer(MemorySegment from, long at) {
        long id = from.get(U64, at + FrameLayout.PRODUCER_ID);
        if ((from.get(U32, at + FrameLayout.ATTRIBUTES) & FrameLayout.HAS_PRODUCER) == 0 || id == 0) {
            return null;
        }
        return new ProducerStamp(
                id, from.get(U32, at + FrameLayout.PRODUCER_EPOCH), from.get(U64, at + FrameLayout.PRODUCER_SEQUENCE));
    }
}
