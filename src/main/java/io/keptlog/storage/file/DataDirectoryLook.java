// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A data directory as it lies there, looked at without taking it: nothing is written, and a server may be using it.
 *
 * @param inUse whether a server has it now
 * @param epoch number of starts, empty when its file does not prove itself
 */
public record DataDirectoryLook(Path root, boolean inUse, OptionalLong epoch, Parts parts) {
    /** Which parts were made in it. */
    @FunctionalInterface
    public interface Parts {
        boolean made(String part);
    }

    /**
     * @throws DataDirectoryException it is no data directory, or not one of this program's format
     */
    public static DataDirectoryLook at(FileLayer files, Path directory) {
        Path root = directory.toAbsolutePath().normalize();
        var format = new FormatFile(files, root.resolve("format"));
        if (!format.exists()) {
            throw new DataDirectoryException(root + " is not a data directory: it has no format file");
        }
        try {
            format.read(root);
            OptionalLong epoch = new EpochFile(files, root.resolve("epoch")).read();
            return new DataDirectoryLook(root, isInUse(files, root), epoch, format::made);
        } catch (IOException | java.io.UncheckedIOException e) {
            throw new DataDirectoryException("data directory " + root + " cannot be read: " + e.getMessage(), e);
        }
    }

    /** Takes the lock for a moment. On a file system that is mounted read-only nobody can have it. */
    private static boolean isInUse(FileLayer files, Path root) {
        Path lock = root.resolve("lock");
        if (!files.exists(lock)) {
            return false;
        }
        try (Closeable taken = files.lock(lock)) {
            return taken == null;
        } catch (IOException notWritable) {
            return false;
        }
    }
}
