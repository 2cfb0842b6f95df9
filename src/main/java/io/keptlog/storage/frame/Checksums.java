// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.frame;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The checksums of the store's formats. All are CRC32C; those that must not fit elsewhere are seeded with where they belong. */
public final class Checksums {
    private Checksums() {}

    /** CRC32C of a range; {@code length} below 2 GiB. */
    public static int crc(MemorySegment bytes, long at, long length) {
        var crc = new CRC32C();
        crc.update(bytes.asSlice(at, length).asByteBuffer());
        return (int) crc.getValue();
    }

    /** CRC32C of a frame header's bytes 8 to 96, preceded by the file position and the incarnation. */
    static int header(MemorySegment bytes, long at, long position, long incarnation) {
        return seeded(
                bytes, at + FrameLayout.LENGTH, FrameLayout.HEADER_BYTES - FrameLayout.LENGTH, position, incarnation);
    }

    /** CRC32C of two numbers (little-endian) and then a range. */
    public static int seeded(MemorySegment bytes, long at, long length, long first, long second) {
        var crc = new CRC32C();
        crc.update(seed(first, second));
        crc.update(bytes.asSlice(at, length).asByteBuffer());
        return (int) crc.getValue();
    }

    static ByteBuffer seed(long first, long second) {
        return ByteBuffer.allocate(16)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(first)
                .putLong(second)
                .flip();
    }
}
