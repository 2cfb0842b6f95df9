// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * Writes frames into one segment file, positional, and syncs it. The only descriptor that frames are written through.
 * <p>Writing: under the appender's lock. Syncing: the sync owner alone.
 * <p>A crash leaves whole frames, and at most one torn one behind them. When a write throws, the file is again zero behind the last
 * frame, so that "not stored" stays true after a restart and a shorter frame later does not end in old bytes; when even that fails,
 * {@link WriteLostException} says that the outcome is unknown.
 */
final class SegmentWriter {
    private final StoreFile file;
    private final SegmentSpace space;
    private final long limit;
    /** Bytes of failed writes may lie between the last frame and here. */
    private long soiledEnd;
    /** Only the sync owner: whether the file's name is on stable storage. */
    private boolean nameDurable;

    /**
     * @param limit a frame that would end beyond it goes to the next segment, unless it is the first
     */
    SegmentWriter(StoreFile file, SegmentSpace space, long limit, boolean nameDurable) {
        this.file = file;
        this.space = space;
        this.limit = limit;
        this.nameDurable = nameDurable;
    }

    long limit() {
        return limit;
    }

    SegmentSpace space() {
        return space;
    }

    /** A write failed and what it left cannot be taken back. */
    static final class WriteLostException extends IOException {
        WriteLostException(IOException write, IOException clearing) {
            super(write);
            addSuppressed(clearing);
        }
    }

    /**
     * @throws NoSpaceException nothing is left of the frame; it may be tried again
     * @throws WriteLostException the frame may be found after a restart
     * @throws IOException nothing is left of the frame
     */
    void write(MemorySegment frame, long position) throws IOException {
        long end = position + frame.byteSize();
        if (soiledEnd > end) {
            clear(end, soiledEnd);
        }
        try {
            file.write(frame, position);
        } catch (IOException e) {
            soiledEnd = Math.max(soiledEnd, end);
            takeBack(position, end, e);
            throw e;
        }
        soiledEnd = 0;
    }

    private void takeBack(long position, long end, IOException write) throws WriteLostException {
        try {
            clear(position, Math.min(end, position + io.keptlog.storage.frame.FrameLayout.HEADER_BYTES));
        } catch (IOException e) {
            throw new WriteLostException(write, e);
        }
        try {
            clear(position, soiledEnd);
            soiledEnd = 0;
        } catch (IOException e) {
            // Without a header it is no frame; the rest is cleared before the next one is written.
            write.addSuppressed(e);
        }
    }

    private void clear(long from, long to) throws IOException {
        for (long at = from; at < to; ) {
            long length = Math.min(to - at, SegmentSpace.ZEROS.byteSize());
            file.write(SegmentSpace.ZEROS.asSlice(0, length), at);
            at += length;
        }
    }

    void sync() throws IOException {
        file.syncData();
    }

    boolean nameDurable() {
        return nameDurable;
    }

    void nameIsDurable() {
        nameDurable = true;
    }

    void close() throws IOException {
        file.close();
    }
}
