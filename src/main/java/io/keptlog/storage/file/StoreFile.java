// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * One open file. Safe for any number of threads; an interrupt of the calling thread never closes it and never ends a call early.
 * Positions and lengths in bytes.
 */
public interface StoreFile extends Closeable {
    Path path();

    /**
     * Writes all of {@code bytes} at the position. When it throws, any part of them may have been written.
     *
     * @param bytes heap or native
     * @throws NoSpaceException the disk is full
     */
    void write(MemorySegment bytes, long position) throws IOException;

    /**
     * Reads until {@code into} is full or the file ends.
     *
     * @return bytes read, less than asked only at the end of the file
     */
    int read(MemorySegment into, long position) throws IOException;

    long size() throws IOException;

    /**
     * From now on nothing is read ahead of what is asked for. Pages of space that was never written count as data for {@link #dataFrom}
     * once they are in memory. Advice only: without it answers are the same bytes, later.
     */
    default void readNothingAhead() throws IOException {}

    /**
     * The next byte that may be other than zero: what lies between reads as zeros, because it was never written.
     *
     * @return {@code position} when the file system cannot tell; the file's size, or the position if that is larger, when nothing follows
     */
    long dataFrom(long position) throws IOException;

    /**
     * Gives the range real disk blocks that read as zeros where nothing was written; extends the file. Existing content stays. Not
     * durable before the next sync.
     *
     * @throws NoSpaceException the disk is full; the file's size is unchanged or grown, its content is not
     */
    void allocate(long position, long length) throws IOException;

    void truncate(long size) throws IOException;

    /** fdatasync: content, and of the metadata what is needed to read it. */
    void syncData() throws IOException;

    /**
     * Maps the range for reading. Must lie inside the file. Later writes through this layer show in the mapping.
     *
     * @param arena the mapping's life; closing it unmaps
     */
    MemorySegment map(long position, long length, Arena arena) throws IOException;

    @Override
    void close() throws IOException;
}
