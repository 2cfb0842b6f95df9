// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import static io.keptlog.storage.frame.FrameLayout.U32;
import static io.keptlog.storage.frame.FrameLayout.U64;

import io.keptlog.domain.Gap;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.frame.Checksums;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * A partition's {@code removal} file: why the messages before the first offset are gone, when that is not retention. Replaced as a whole.
 * Little-endian:
 *
 * <pre>
 *  0  u32  magic "KLRM"
 *  4  u32  CRC32C of the incarnation (u64), the reason (u64) and bytes 8 to 16
 *  8  u64  reason: 0 retention, 1 deletion on request
 * </pre>
 */
public final class RemovalFile {
    private static final int BYTES = 16;
    private static final int MAGIC_VALUE = 0x4D_52_4C_4B;
    private static final int CRC = 4;
    private static final int REASON = 8;
    private static final long DELETION = 1;

    private RemovalFile() {}

    /** On stable storage when this returns. */
    public static void write(FileLayer files, Path path, long incarnation, Gap.Reason reason) throws IOException {
        MemorySegment bytes = MemorySegment.ofArray(new byte[BYTES]);
        bytes.set(U32, 0, MAGIC_VALUE);
        bytes.set(U64, REASON, reason == Gap.Reason.DELETION ? DELETION : 0);
        bytes.set(U32, CRC, crc(bytes, incarnation));
        SmallFile.replace(files, path, bytes);
    }

    /** Retention when the file is missing or does not prove itself: a wrong word about what is gone harms nothing. */
    public static Gap.Reason read(FileLayer files, Path path, long incarnation) throws IOException {
        MemorySegment bytes = SmallFile.read(files, path, BYTES);
        boolean deletion = bytes != null
                && bytes.byteSize() == BYTES
                && bytes.get(U32, 0) == MAGIC_VALUE
                && bytes.get(U32, CRC) == crc(bytes, incarnation)
                && bytes.get(U64, REASON) == DELETION;
        return deletion ? Gap.Reason.DELETION : Gap.Reason.RETENTION;
    }

    private static int crc(MemorySegment bytes, long incarnation) {
        return Checksums.seeded(bytes, REASON, BYTES - REASON, incarnation, bytes.get(U64, REASON));
    }
}
