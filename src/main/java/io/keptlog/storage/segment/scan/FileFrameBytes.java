// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.scan;

import io.keptlog.domain.Limits;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Reads a segment file in chunks into memory of its own; a frame larger than a chunk is read whole. Owns the open file and the memory;
 * used and closed by one thread. When a chunk cannot be read, just what is asked for is tried, so that one bad sector hides no more than
 * the frames that lie in it.
 */
public final class FileFrameBytes implements FrameBytes, Closeable {
    private static final long PAGE_BYTES = 64 << 10; // The largest page size of the supported machines.

    private final StoreFile file;
    private final long sizeBytes;
    private Arena arena = Arena.ofConfined();
    private MemorySegment chunk;
    private long chunkPosition;
    private long chunkLength;
    private long bytesRead;

    private FileFrameBytes(StoreFile file, long sizeBytes) {
        this.file = file;
        this.sizeBytes = sizeBytes;
        this.chunk = arena.allocate(Math.clamp(sizeBytes, 1, Limits.RECOVERY_READ_BYTES));
    }

    public static FileFrameBytes open(FileLayer files, Path path) throws IOException {
        StoreFile file = files.open(path, FileLayer.Mode.READ);
        try {
            return new FileFrameBytes(file, file.size());
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** For reading through space that may never have been written: nothing is read ahead, so that it is passed over. */
    public static FileFrameBytes openSparse(FileLayer files, Path path) throws IOException {
        FileFrameBytes bytes = open(files, path);
        try {
            bytes.file.readNothingAhead();
            return bytes;
        } catch (IOException | RuntimeException e) {
            bytes.close();
            throw e;
        }
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    /** Bytes that came from the file so far. */
    public long bytesRead() {
        return bytesRead;
    }

    @Override
    public MemorySegment view(long position, long lengthBytes) throws IOException {
        long from = Math.min(position, sizeBytes);
        long length = Math.min(lengthBytes, sizeBytes - from);
        if (from < chunkPosition || from + length > chunkPosition + chunkLength) {
            fill(from, length);
        }
        long at = from - chunkPosition;
        return chunk.asSlice(at, Math.min(length, chunkLength - at));
    }

    /** What has been read is in memory, so the system calls it data: it is looked at here, and the system is asked about what follows. */
    @Override
    public long dataFrom(long position) throws IOException {
        long at = position - chunkPosition;
        if (at < 0 || at >= chunkLength) {
            return file.dataFrom(position);
        }
        long data = FrameScanner.firstNotZero(chunk.asSlice(at, chunkLength - at));
        return data < chunkLength - at ? position + data : file.dataFrom(chunkPosition + chunkLength);
    }

    /** Whole pages: a page that is in memory for a part of it would count as data, although the rest was never written. */
    private void fill(long position, long length) throws IOException {
        long begin = position & -PAGE_BYTES;
        long needed = position + length - begin;
        if (needed > chunk.byteSize()) {
            arena.close();
            arena = Arena.ofConfined();
            chunkLength = 0;
            chunk = arena.allocate((needed + PAGE_BYTES - 1) & -PAGE_BYTES);
        }
        chunkLength = 0;
        chunkPosition = begin;
        try {
            read(Math.min(chunk.byteSize(), sizeBytes - begin));
        } catch (IOException wholeChunk) {
            chunkPosition = position;
            try {
                read(length);
            } catch (IOException e) {
                e.addSuppressed(wholeChunk);
                throw e;
            }
        }
    }

    private void read(long length) throws IOException {
        chunkLength = file.read(chunk.asSlice(0, length), chunkPosition);
        bytesRead += chunkLength;
    }

    @Override
    public void close() throws IOException {
        arena.close();
        file.close();
    }
}
