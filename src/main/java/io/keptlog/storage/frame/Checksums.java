// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.frame;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** The checksums of the store's formats. All are CRC32C; those that must not fit elsewhere are seeded with where they belong. */
public final class Checksums {
    /** The smallest page of any machine. */
    private static final int PAGE_BYTES = 4096;

    private Checksums() {}

    /** CRC32C of a range; {@code length} below 2 GiB. */
    public static int crc(MemorySegment bytes, long at, long length) {
        var crc = new CRC32C();
        crc.update(bytes.asSlice(at, length).asByteBuffer());
        return (int) crc.getValue();
    }

    /**
     * CRC32C of a range of a mapped file. A page that the disk refuses to give is met by a plain read first, where the JVM turns the
     * signal into an InternalError; the checksum's own machine code has no such handler, and the whole process would end.
     *
     * @throws InternalError the range cannot be read
     */
    public static int crcOfMapped(MemorySegment bytes, long at, long length) {
        touch(bytes, at, length);
        return crc(bytes, at, length);
    }

    /**
     * Reads a byte of every page.
     *
     * @throws InternalError the range cannot be read
     */
    public static void touch(MemorySegment bytes, long at, long length) {
        int sum = 0;
        for (long i = at; i < at + length; i += PAGE_BYTES) {
            sum += bytes.get(ValueLayout.JAVA_BYTE, i);
        }
        if (length > 0) {
            sum += bytes.get(ValueLayout.JAVA_BYTE, at + length - 1);
        }
        if (sum == Integer.MIN_VALUE) {
            // No sum of bytes comes here; the compiler does not know, so it cannot leave the reads out.
            throw new IllegalStateException("impossible");
        }
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
