// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static io.keptlog.storage.frame.FrameLayout.U32;
import static io.keptlog.storage.frame.FrameLayout.U64;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import io.keptlog.storage.frame.Checksums;
import io.keptlog.storage.frame.FrameChain;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A sealed segment's {@code .index} file: its {@link SegmentSummary} and {@link SparseIndex}, written once and replaced as a whole. A
 * cache: when it is missing or does not prove itself, it is made again from the frames. Little-endian:
 *
 * <pre>
 *   0  u32  magic "KLIX"
 *   4  u32  CRC32C of the bytes from 8 to 128
 *   8  u32  format version, 1
 *  12  u32  number of entries
 *  16  u64  incarnation
 *  24  u64  base offset of the segment
 *  32  u64  end offset
 *  40  u64  end position: byte after the last frame
 *  48  u32  header CRC of the last frame
 *  52  u32  CRC32C of the incarnation (u64), the base offset (u64) and the entries
 *  56  u64  epoch of the last frame
 *  64  u64  append time of the first frame, microseconds since the epoch
 *  72  u64  append time of the last frame
 *  80       zeros
 * 128       per entry: u32 offset less the segment's base, u32 position (never below 4096, so zeros are no entry), u64 append time
 * </pre>
 */
public final class IndexFile {
    private static final int HEADER_BYTES = 128;
    private static final int ENTRY_BYTES = 16;
    private static final int MAGIC_VALUE = 0x58_49_4C_4B;
    private static final int FORMAT_VERSION = 1;
    private static final int CRC = 4;
    private static final int VERSION = 8;
    private static final int COUNT = 12;
    private static final int INCARNATION = 16;
    private static final int BASE = 24;
    private static final int END_OFFSET = 32;
    private static final int END_POSITION = 40;
    private static final int LAST_CRC = 48;
    private static final int ENTRIES_CRC = 52;
    private static final int EPOCH = 56;
    private static final int FIRST_TIME = 64;
    private static final int LAST_TIME = 72;

    private IndexFile() {}

    /** Writes a complete index. On stable storage when this returns. */
    public static void write(FileLayer files, Path path, long incarnation, SegmentSummary summary, SparseIndex index)
            throws IOException {
        index.complete();
        int count = index.entries();
        MemorySegment bytes = MemorySegment.ofArray(new byte[HEADER_BYTES + count * ENTRY_BYTES]);
        for (int i = 0; i < count; i++) {
            long at = HEADER_BYTES + (long) i * ENTRY_BYTES;
            bytes.set(U32, at, (int) (index.offset(i) - summary.baseOffset()));
            bytes.set(U32, at + 4, index.position(i));
            bytes.set(U64, at + 8, index.timeMicros(i));
        }
        bytes.set(U32, 0, MAGIC_VALUE);
        bytes.set(U32, VERSION, FORMAT_VERSION);
        bytes.set(U32, COUNT, count);
        bytes.set(U64, INCARNATION, incarnation);
        bytes.set(U64, BASE, summary.baseOffset());
        bytes.set(U64, END_OFFSET, summary.endOffset());
        bytes.set(U64, END_POSITION, summary.endPosition());
        bytes.set(U32, LAST_CRC, summary.end().lastHeaderCrc());
        bytes.set(U32, ENTRIES_CRC, entriesCrc(bytes, incarnation, summary.baseOffset()));
        bytes.set(U64, EPOCH, summary.end().epoch());
        bytes.set(U64, FIRST_TIME, summary.firstAppendTimeMicros());
        bytes.set(U64, LAST_TIME, summary.lastAppendTimeMicros());
        bytes.set(U32, CRC, Checksums.crc(bytes, VERSION, HEADER_BYTES - VERSION));
        SmallFile.replace(files, path, bytes);
    }

    /**
     * Reads the first 128 bytes and the file's size; the entries are checked when they are {@link #load loaded}.
     *
     * @return null when the file is missing or no index of this segment of this life
     */
    public static @Nullable SegmentSummary summary(FileLayer files, Path path, long incarnation, long baseOffset)
            throws IOException {
        if (!files.exists(path)) {
            return null;
        }
        try (StoreFile file = files.open(path, FileLayer.Mode.READ)) {
            MemorySegment bytes = MemorySegment.ofArray(new byte[HEADER_BYTES]);
            return file.read(bytes, 0) < HEADER_BYTES ? null : summary(bytes, file.size(), incarnation, baseOffset);
        }
    }

    /** One entry: a frame and when it was appended. */
    public record Entry(long offset, long position, long appendTimeMicros) {}

    /** A whole index as it lies in its file. */
    public record Content(SegmentSummary summary, List<Entry> entries) {
        public Content {
            entries = List.copyOf(entries);
        }
    }

    /**
     * Reads the whole index for somebody who wants to look at it.
     *
     * @return null when the file is missing or a checksum in it is wrong
     */
    public static @Nullable Content read(FileLayer files, Path path, long incarnation, long baseOffset)
            throws IOException {
        MemorySegment bytes = SmallFile.read(files, path, Integer.MAX_VALUE - 8);
        SegmentSummary summary = bytes == null || bytes.byteSize() < HEADER_BYTES
                ? null
                : summary(bytes, bytes.byteSize(), incarnation, baseOffset);
        if (bytes == null
                || summary == null
                || bytes.get(U32, ENTRIES_CRC) != entriesCrc(bytes, incarnation, baseOffset)) {
            return null;
        }
        List<Entry> entries = new ArrayList<>();
        for (long at = HEADER_BYTES; at < bytes.byteSize(); at += ENTRY_BYTES) {
            entries.add(new Entry(
                    baseOffset + Integer.toUnsignedLong(bytes.get(U32, at)),
                    Integer.toUnsignedLong(bytes.get(U32, at + 4)),
                    bytes.get(U64, at + 8)));
        }
        return new Content(summary, entries);
    }

    /**
     * Reads the whole index.
     *
     * @return null when the file is missing or anything in it is wrong
     */
    public static @Nullable SparseIndex load(FileLayer files, Path path, long incarnation, SegmentSummary expected)
            throws IOException {
        MemorySegment bytes = SmallFile.read(files, path, Integer.MAX_VALUE - 8);
        long baseOffset = expected.baseOffset();
        if (bytes == null
                || bytes.byteSize() < HEADER_BYTES
                || !expected.equals(summary(bytes, bytes.byteSize(), incarnation, baseOffset))
                || bytes.get(U32, ENTRIES_CRC) != entriesCrc(bytes, incarnation, baseOffset)) {
            return null;
        }
        var index = new SparseIndex(baseOffset);
        long lastOffset = -1;
        long lastPosition = 0;
        for (long at = HEADER_BYTES; at < bytes.byteSize(); at += ENTRY_BYTES) {
            long offset = Integer.toUnsignedLong(bytes.get(U32, at));
            long position = Integer.toUnsignedLong(bytes.get(U32, at + 4));
            if (offset <= lastOffset
                    || position <= lastPosition
                    || position < SegmentHeader.FIRST_FRAME_POSITION
                    || position >= expected.endPosition()
                    || baseOffset + offset >= expected.endOffset()) {
                return null;
            }
            index.note(baseOffset + offset, position, bytes.get(U64, at + 8));
            lastOffset = offset;
            lastPosition = position;
        }
        return index;
    }

    private static @Nullable SegmentSummary summary(
            MemorySegment bytes, long fileSize, long incarnation, long baseOffset) {
        int count = bytes.get(U32, COUNT);
        long endOffset = bytes.get(U64, END_OFFSET);
        long endPosition = bytes.get(U64, END_POSITION);
        if (bytes.get(U32, 0) != MAGIC_VALUE
                || bytes.get(U32, CRC) != Checksums.crc(bytes, VERSION, HEADER_BYTES - VERSION)
                || bytes.get(U32, VERSION) != FORMAT_VERSION
                || bytes.get(U64, INCARNATION) != incarnation
                || bytes.get(U64, BASE) != baseOffset
                || count < 0
                || fileSize != HEADER_BYTES + (long) count * ENTRY_BYTES
                || !SegmentSummary.sound(baseOffset, endPosition, endOffset)) {
            return null;
        }
        var end = new FrameChain(endOffset, bytes.get(U32, LAST_CRC), bytes.get(U64, EPOCH), bytes.get(U64, LAST_TIME));
        return new SegmentSummary(baseOffset, endPosition, bytes.get(U64, FIRST_TIME), end);
    }

    private static int entriesCrc(MemorySegment bytes, long incarnation, long baseOffset) {
        return Checksums.seeded(bytes, HEADER_BYTES, bytes.byteSize() - HEADER_BYTES, incarnation, baseOffset);
    }
}
