// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The space of one segment file that frames may be written into, extended by the preparer through a descriptor of its own.
 * <p>{@link #readyEnd} for any thread; everything else by one preparer thread at a time. The writer stays below the ready end and the
 * preparer at or above it, so that zeros never overwrite a frame.
 * <p>A crash leaves allocated zeros behind the last frame. An exception leaves the ready end where it was. Positions in bytes.
 */
final class SegmentSpace {
    /** Zeros to write from; the largest piece written at once into a file that takes frames. */
    static final MemorySegment ZEROS = Arena.global().allocate(1 << 20, 4096).asReadOnly();

    private final FileLayer files;
    private volatile Path path;
    private volatile long readyEnd;
    private long allocatedEnd;
    private @Nullable StoreFile file;
    private boolean closed;

    SegmentSpace(FileLayer files, Path path, long readyEnd) {
        this.files = files;
        this.path = path;
        this.readyEnd = readyEnd;
        this.allocatedEnd = readyEnd;
    }

    long readyEnd() {
        return readyEnd;
    }

    long allocatedEnd() {
        return allocatedEnd;
    }

    /** The file has a new name. */
    void renamed(Path newPath) {
        path = newPath;
    }

    void allocateTo(long end) throws IOException {
        if (end > allocatedEnd) {
            open().allocate(allocatedEnd, end - allocatedEnd);
            allocatedEnd = end;
        }
    }

    /** What is allocated may be written: enough where no acknowledgement waits for a sync. */
    void useAllocated() {
        readyEnd = Math.max(readyEnd, allocatedEnd);
    }

    /**
     * Writes zeros into what is allocated and syncs them, so that a later sync of frames there has no metadata to commit.
     *
     * @param stepBytes at most this many at once
     */
    void zeroTo(long end, long stepBytes) throws IOException {
        long from = readyEnd;
        long to = Math.min(Math.min(end, allocatedEnd), from + stepBytes);
        if (to <= from) {
            return;
        }
        StoreFile opened = open();
        for (long at = from; at < to; ) {
            long length = Math.min(ZEROS.byteSize(), to - at);
            opened.write(ZEROS.asSlice(0, length), at);
            at += length;
        }
        opened.syncData();
        readyEnd = to;
    }

    private StoreFile open() throws IOException {
        StoreFile opened = file;
        if (opened == null) {
            if (closed) {
                throw new IOException("segment space is closed");
            }
            opened = files.open(path, FileLayer.Mode.READ_WRITE);
            file = opened;
        }
        return opened;
    }

    void close() throws IOException {
        closed = true;
        StoreFile opened = file;
        file = null;
        if (opened != null) {
            opened.close();
        }
    }
}
