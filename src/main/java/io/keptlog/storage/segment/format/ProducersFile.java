// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static io.keptlog.storage.frame.FrameLayout.U32;
import static io.keptlog.storage.frame.FrameLayout.U64;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.Checksums;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.producer.ProducerCodec;
import io.keptlog.storage.producer.ProducerState;
import io.keptlog.storage.producer.ProducerStates;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition's {@code producers} file: what it remembered of idempotent producers at one point of its log, replaced as a whole. A
 * cache: frames after the point are applied to it, and when it is missing, does not prove itself or does not fit the log, everything is
 * read from the frames. Little-endian:
 *
 * <pre>
 *  0  u32  magic "KLPR"
 *  4  u32  CRC32C of the incarnation (u64), the file's length (u64) and the bytes from 8 to the end
 *  8  u64  incarnation
 * 16  u64  base offset of the segment that the point lies in
 * 24  u64  position of the point in that segment
 * 32  u64  end offset: the offset of the next message
 * 40  u32  header CRC of the last frame before the point
 * 44  u32  zero
 * 48  u64  epoch of that frame
 * 56  u64  append time of that frame, microseconds since the epoch
 * 64       the producers, {@link ProducerCodec}
 * </pre>
 */
public final class ProducersFile {
    private static final int MAGIC_VALUE = 0x52_50_4C_4B;
    private static final int CRC = 4;
    private static final int INCARNATION = 8;
    private static final int SEGMENT = 16;
    private static final int POSITION = 24;
    private static final int END_OFFSET = 32;
    private static final int LAST_CRC = 40;
    private static final int EPOCH = 48;
    private static final int TIME = 56;
    private static final int PRODUCERS = 64;

    private ProducersFile() {}

    /** A point of the log: {@code position} in the segment that begins at {@code segmentBase}. */
    public record Point(long segmentBase, long position, FrameChain chain) {}

    /** What was remembered at a point. */
    public record Content(Point point, ProducerStates states) {}

    /** On stable storage when this returns. */
    public static void write(FileLayer files, Path path, long incarnation, Point point, List<ProducerState> producers)
            throws IOException {
        byte[] encoded = ProducerCodec.encode(producers);
        MemorySegment bytes = MemorySegment.ofArray(new byte[PRODUCERS + encoded.length]);
        bytes.set(U32, 0, MAGIC_VALUE);
        bytes.set(U64, INCARNATION, incarnation);
        bytes.set(U64, SEGMENT, point.segmentBase());
        bytes.set(U64, POSITION, point.position());
        bytes.set(U64, END_OFFSET, point.chain().endOffset());
        bytes.set(U32, LAST_CRC, point.chain().lastHeaderCrc());
        bytes.set(U64, EPOCH, point.chain().epoch());
        bytes.set(U64, TIME, point.chain().lastAppendTimeMicros());
        MemorySegment.copy(MemorySegment.ofArray(encoded), 0, bytes, PRODUCERS, encoded.length);
        bytes.set(U32, CRC, crc(bytes, incarnation));
        SmallFile.replace(files, path, bytes);
    }

    /**
     * @return null when the file is missing or not of this life, or anything in it is wrong
     */
    public static @Nullable Content read(FileLayer files, Path path, long incarnation) throws IOException {
        MemorySegment bytes = SmallFile.read(files, path, PRODUCERS + (long) ProducerCodec.BYTES_MAX);
        if (bytes == null
                || bytes.byteSize() < PRODUCERS
                || bytes.get(U32, 0) != MAGIC_VALUE
                || bytes.get(U64, INCARNATION) != incarnation
                || bytes.get(U32, CRC) != crc(bytes, incarnation)) {
            return null;
        }
        var chain = new FrameChain(
                bytes.get(U64, END_OFFSET), bytes.get(U32, LAST_CRC), bytes.get(U64, EPOCH), bytes.get(U64, TIME));
        ProducerStates states = ProducerCodec.decode(bytes.asSlice(PRODUCERS).toArray(ValueLayout.JAVA_BYTE));
        return states == null
                ? null
                : new Content(new Point(bytes.get(U64, SEGMENT), bytes.get(U64, POSITION), chain), states);
    }

    private static int crc(MemorySegment bytes, long incarnation) {
        return Checksums.seeded(bytes, INCARNATION, bytes.byteSize() - INCARNATION, incarnation, bytes.byteSize());
    }
}
