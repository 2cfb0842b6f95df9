// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static io.keptlog.storage.frame.FrameLayout.U32;
import static io.keptlog.storage.frame.FrameLayout.U64;

import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.frame.Checksums;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The first block of a segment file. Written once, before the file gets its name and its first frame; synced, with the name, before the
 * first persisted acknowledgement in it and before a checkpoint names it as the newest segment. So a segment without it is damaged up to
 * the checkpoint's newest one, and above that what a power cut left of a roll. Little-endian:
 *
 * <pre>
 *    0  u32  magic "KLSG"
 *    4  u32  CRC32C of the bytes from 8 to 64
 *    8  u32  format version, 1
 *   12  u32  stream id
 *   16  u32  topic id
 *   20  u32  partition id
 *   24  u64  incarnation
 *   32  u64  base offset of the segment
 *   40  u64  created, microseconds since the epoch
 *   48  u64  zero
 *   56  u64  zero
 *   64       zeros
 * 4096       frames; after the last one zeros to the end of the file
 * </pre>
 *
 * @param createdMicros microseconds since the epoch
 */
public record SegmentHeader(PartitionRef ref, long incarnation, long baseOffset, long createdMicros) {
    /** Bytes of the block; the first frame follows. */
    public static final int BYTES = 4096;

    /** Where the first frame of each segment lies. */
    public static final long FIRST_FRAME_POSITION = BYTES;

    private static final int MAGIC_VALUE = 0x47_53_4C_4B;
    private static final int FORMAT_VERSION = 1;
    private static final int CRC = 4;
    private static final int VERSION = 8;
    private static final int STREAM = 12;
    private static final int TOPIC = 16;
    private static final int PARTITION = 20;
    private static final int INCARNATION = 24;
    private static final int BASE = 32;
    private static final int CREATED = 40;
    private static final int CHECKED_END = 64;

    public SegmentHeader {
        if (baseOffset < 0) {
            throw new IllegalArgumentException("base offset " + baseOffset);
        }
    }

    /** Writes the whole block. */
    public void write(MemorySegment into) {
        into.asSlice(0, BYTES).fill((byte) 0);
        into.set(U32, 0, MAGIC_VALUE);
        into.set(U32, VERSION, FORMAT_VERSION);
        into.set(U32, STREAM, ref.streamId());
        into.set(U32, TOPIC, ref.topicId());
        into.set(U32, PARTITION, ref.partitionId());
        into.set(U64, INCARNATION, incarnation);
        into.set(U64, BASE, baseOffset);
        into.set(U64, CREATED, createdMicros);
        into.set(U32, CRC, Checksums.crc(into, VERSION, CHECKED_END - VERSION));
    }

    /**
     * Reads and checks the block.
     *
     * @return null when it is not a segment header of this format
     */
    public static @Nullable SegmentHeader read(MemorySegment from) {
        if (from.byteSize() < BYTES
                || from.get(U32, 0) != MAGIC_VALUE
                || from.get(U32, CRC) != Checksums.crc(from, VERSION, CHECKED_END - VERSION)
                || from.get(U32, VERSION) != FORMAT_VERSION) {
            return null;
        }
        int stream = from.get(U32, STREAM);
        int topic = from.get(U32, TOPIC);
        int partition = from.get(U32, PARTITION);
        long base = from.get(U64, BASE);
        if (stream < 0 || topic < 0 || partition < 0 || base < 0) {
            return null;
        }
        return new SegmentHeader(
                new PartitionRef(stream, topic, partition), from.get(U64, INCARNATION), base, from.get(U64, CREATED));
    }

    /** Whether this is the header of that segment of that life. */
    public boolean belongsTo(PartitionRef wantedRef, long wantedIncarnation, long wantedBase) {
        return ref.equals(wantedRef) && incarnation == wantedIncarnation && baseOffset == wantedBase;
    }
}
