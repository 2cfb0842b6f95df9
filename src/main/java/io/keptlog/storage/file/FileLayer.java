// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The operating system as the store sees it. One implementation for real disks, one in the test tree that loses, tears and refuses.
 * Not interruptible; safe for any number of threads.
 */
public interface FileLayer {
    /** How to open a file. */
    enum Mode {
        READ,
        READ_WRITE,
        /** The file must not exist. */
        CREATE_NEW
    }

    StoreFile open(Path file, Mode mode) throws IOException;

    boolean exists(Path path);

    /** Names in a directory, sorted. */
    List<Path> list(Path directory) throws IOException;

    /** Creates the directory and missing ancestors; durable only after {@link #syncDirectory} of each parent. */
    void createDirectories(Path directory) throws IOException;

    /** Atomic; replaces an existing file, not a directory. Durable after a sync of the directories concerned. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file or an empty directory. */
    void delete(Path path) throws IOException;

    /** Makes the names in this directory durable. Does nothing where the system has no such call (Windows). */
    void syncDirectory(Path directory) throws IOException;

    /** Whether the system has a call for {@link #syncDirectory}. */
    default boolean syncsDirectories() {
        return true;
    }

    boolean isDirectory(Path path);

    /** Bytes that can still be written. */
    long usableBytes(Path path) throws IOException;

    /**
     * Takes the file for this process alone; made when it is absent. Ends with {@code close} or with the process.
     *
     * @return null when somebody else has it, in another process or in this one
     */
    @Nullable
    Closeable lock(Path file) throws IOException;
}
