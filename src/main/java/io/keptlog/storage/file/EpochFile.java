// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * The file {@code epoch}: two slots in pages of their own, the larger valid number counts, the other slot is written next. A torn write
 * damages only the slot it writes.
 *
 * <pre>
 * at 0 and at 4096, little-endian:   0 u32 magic   4 u32 CRC32C over 8..16   8 u64 epoch
 * </pre>
 */
final class EpochFile {
    private static final int MAGIC = 0x4550_4C4B; // "KLPE"
    private static final int SLOT_BYTES = 4096;
    private static final int USED_BYTES = 16;

    private final FileLayer files;
    private final Path file;

    EpochFile(FileLayer files, Path file) {
        this.files = files;
        this.file = file;
    }

    /** The newest epoch, or nothing when the file is absent or no slot is valid. */
    OptionalLong read() throws IOException {
        if (!files.exists(file)) {
            return OptionalLong.empty();
        }
        try (StoreFile in = files.open(file, FileLayer.Mode.READ)) {
            long first = slot(in, 0);
            long second = slot(in, 1);
            return Math.max(first, second) > 0 ? OptionalLong.of(Math.max(first, second)) : OptionalLong.empty();
        }
    }

    /** Durable when it returns. */
    void write(long epoch) throws IOException {
        boolean isNew = !files.exists(file);
        try (StoreFile out = files.open(file, isNew ? FileLayer.Mode.CREATE_NEW : FileLayer.Mode.READ_WRITE)) {
            if (isNew || out.size() < 2 * SLOT_BYTES) {
                out.allocate(0, 2 * SLOT_BYTES);
            }
            int older = slot(out, 0) <= slot(out, 1) ? 0 : 1;
            ByteBuffer bytes = ByteBuffer.allocate(USED_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            bytes.putInt(0, MAGIC).putLong(8, epoch).putInt(4, crc(bytes.array()));
            out.write(MemorySegment.ofArray(bytes.array()), (long) older * SLOT_BYTES);
            out.syncData();
        }
        // Also when the file was there: its name may be older than its durability (a crash right after it was made).
        files.syncDirectory(
                java.util.Objects.requireNonNull(file.toAbsolutePath().getParent()));
    }

    /** The slot's epoch, 0 when the slot is not valid. */
    private static long slot(StoreFile in, int slot) throws IOException {
        byte[] bytes = new byte[USED_BYTES];
        if (in.read(MemorySegment.ofArray(bytes), (long) slot * SLOT_BYTES) < USED_BYTES) {
            return 0;
        }
        ByteBuffer fields = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        boolean valid = fields.getInt(0) == MAGIC && fields.getInt(4) == crc(bytes) && fields.getLong(8) > 0;
        return valid ? fields.getLong(8) : 0;
    }

    private static int crc(byte[] slot) {
        var crc = new CRC32C();
        crc.update(slot, 8, USED_BYTES - 8);
        return (int) crc.getValue();
    }
}
