// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static io.keptlog.storage.frame.FrameLayout.U32;
import static io.keptlog.storage.frame.FrameLayout.U64;

import io.keptlog.domain.Limits;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.Checksums;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A partition's {@code epochs} file: its {@link EpochHistory}, replaced as a whole. Must be on stable storage before a checkpoint passes
 * the beginning of a new epoch; what lies above the checkpoint is read from the frames. Little-endian:
 *
 * <pre>
 *  0  u32  magic "KLEP"
 *  4  u32  CRC32C of the incarnation (u64), the file's length (u64) and the bytes from 8 to the end
 *  8  u64  incarnation
 * 16  per entry: u64 epoch, u64 base offset
 * </pre>
 */
public final class EpochFile {
    private static final int MAGIC_VALUE = 0x50_45_4C_4B;
    private static final int CRC = 4;
    private static final int INCARNATION = 8;
    private static final int ENTRIES = 16;
    private static final int ENTRY_BYTES = 16;

    private EpochFile() {}

    /** On stable storage when this returns. */
    public static void write(FileLayer files, Path path, long incarnation, EpochHistory history) throws IOException {
        List<EpochHistory.Entry> entries = history.entries();
        int size = ENTRIES + entries.size() * ENTRY_BYTES;
        MemorySegment bytes = MemorySegment.ofArray(new byte[size]);
        bytes.set(U32, 0, MAGIC_VALUE);
        bytes.set(U64, INCARNATION, incarnation);
        for (int i = 0; i < entries.size(); i++) {
            bytes.set(U64, ENTRIES + (long) i * ENTRY_BYTES, entries.get(i).epoch());
            bytes.set(U64, ENTRIES + (long) i * ENTRY_BYTES + 8, entries.get(i).baseOffset());
        }
        bytes.set(U32, CRC, crc(bytes, incarnation));
        SmallFile.replace(files, path, bytes);
    }

    /**
     * @return null when the file is missing or not a history of this life
     */
    public static @Nullable EpochHistory read(FileLayer files, Path path, long incarnation) throws IOException {
        MemorySegment bytes =
                SmallFile.read(files, path, ENTRIES + (long) ENTRY_BYTES * Limits.EPOCHS_PER_PARTITION_MAX);
        if (bytes == null
                || bytes.byteSize() < ENTRIES
                || (bytes.byteSize() - ENTRIES) % ENTRY_BYTES != 0
                || bytes.get(U32, 0) != MAGIC_VALUE
                || bytes.get(U64, INCARNATION) != incarnation
                || bytes.get(U32, CRC) != crc(bytes, incarnation)) {
            return null;
        }
        var entries = new ArrayList<EpochHistory.Entry>();
        for (long at = ENTRIES; at < bytes.byteSize(); at += ENTRY_BYTES) {
            entries.add(new EpochHistory.Entry(bytes.get(U64, at), bytes.get(U64, at + 8)));
        }
        return EpochHistory.increases(entries) ? new EpochHistory(entries) : null;
    }

    private static int crc(MemorySegment bytes, long incarnation) {
        return Checksums.seeded(bytes, INCARNATION, bytes.byteSize() - INCARNATION, incarnation, bytes.byteSize());
    }
}
