// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The file layer for systems that are not 64-bit Linux: files through RandomAccessFile, which no interrupt closes. Allocation writes
 * zeros; a sync is the system's full sync; directories are synced where the system can open them and skipped on Windows, which has no
 * such call. Safe for any number of threads.
 */
public final class PortableFiles extends SystemFiles {
    private static final boolean WINDOWS =
            System.getProperty("os.name", "").toLowerCase(Locale.ROOT).startsWith("windows");

    /** Held by whoever makes any file longer or shorter: two descriptors of one file must not fill each other's bytes with zeros. */
    private final ReentrantLock sizes = new ReentrantLock();

    @Override
    public StoreFile open(Path file, Mode mode) throws IOException {
        if (mode == Mode.CREATE_NEW) {
            try {
                Files.createFile(file);
            } catch (FileSystemException e) {
                throw translated(e);
            }
        } else if (!exists(file)) {
            // RandomAccessFile would create it.
            throw new java.nio.file.NoSuchFileException(Errno.name(file));
        }
        return new PortableFile(
                file, new RandomAccessFile(file.toFile(), mode == Mode.READ ? "r" : "rw"), sizes, mode == Mode.READ);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        try {
            Files.createDirectories(directory);
        } catch (FileSystemException e) {
            throw translated(e);
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        if (isDirectory(to)) {
            throw new FileAlreadyExistsException(Errno.name(to));
        }
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (FileSystemException e) {
            throw translated(e);
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        Files.delete(path);
    }

    @Override
    public boolean syncsDirectories() {
        return !WINDOWS;
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        if (WINDOWS) {
            return;
        }
        Undisturbed.run(() -> {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
                return directory;
            }
        });
    }

    /** The system's words for a full disk; there is no number to look at. */
    static IOException translated(IOException e) {
        String text = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
        boolean full = text.contains("no space left")
                || text.contains("not enough space on the disk")
                || text.contains("disk is full")
                || text.contains("quota exceeded")
                || text.contains("file too large");
        return full ? new NoSpaceException("no space left on device") : e;
    }
}
