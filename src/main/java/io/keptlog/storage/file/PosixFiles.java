// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;

/**
 * The file layer of 64-bit Linux: system calls through java.lang.foreign, because a FileChannel is closed under everybody's feet when
 * one of its users is interrupted, and because fallocate and the exact errno are not reachable otherwise. No state of its own; safe for
 * any number of threads. New files have mode 0600, new directories 0700 (the catalog keeps password hashes).
 */
public final class PosixFiles extends SystemFiles {
    private static final int FILE_MODE = 0600;
    private static final int DIRECTORY_MODE = 0700;

    @Override
    public StoreFile open(Path file, Mode mode) throws IOException {
        int flags = Libc.O_CLOEXEC
                | switch (mode) {
                    case READ -> Libc.O_RDONLY;
                    case READ_WRITE -> Libc.O_RDWR;
                    case CREATE_NEW -> Libc.O_RDWR | Libc.O_CREAT | Libc.O_EXCL;
                };
        return new PosixFile(file, openDescriptor(file, flags));
    }

    private static int openDescriptor(Path file, int flags) throws IOException {
        try (Scratch scratch = Scratch.take()) {
            while (true) {
                int fd = Libc.open(scratch.capture(), scratch.path(file, 0), flags, FILE_MODE);
                if (fd >= 0) {
                    return fd;
                }
                if (scratch.errno() != Errno.EINTR) {
                    throw Errno.exception(scratch.errno(), "open", file);
                }
            }
        }
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        if (isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        try (Scratch scratch = Scratch.take()) {
            if (Libc.mkdir(scratch.capture(), scratch.path(directory, 0), DIRECTORY_MODE) == 0) {
                return;
            }
            int errno = scratch.errno();
            // Another thread may have made it at the same time.
            if (errno != Errno.EEXIST || !isDirectory(directory)) {
                throw Errno.exception(errno, "make directory", directory);
            }
        }
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        if (isDirectory(to)) {
            // rename(2) would replace an empty directory.
            throw new FileAlreadyExistsException(Errno.name(to));
        }
        try (Scratch scratch = Scratch.take()) {
            if (Libc.rename(scratch.capture(), scratch.path(from, 0), scratch.path(to, 1)) != 0) {
                throw Errno.exception(scratch.errno(), "rename", from);
            }
        }
    }

    @Override
    public void delete(Path path) throws IOException {
        try (Scratch scratch = Scratch.take()) {
            if (Libc.unlink(scratch.capture(), scratch.path(path, 0)) == 0) {
                return;
            }
            int errno = scratch.errno();
            if (errno != Errno.EISDIR && errno != Errno.EPERM) {
                throw Errno.exception(errno, "delete", path);
            }
            if (Libc.rmdir(scratch.capture(), scratch.path(path, 0)) != 0) {
                throw Errno.exception(scratch.errno(), "delete", path);
            }
        }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        int fd = openDescriptor(directory, Libc.O_CLOEXEC | Libc.O_RDONLY);
        try (Scratch scratch = Scratch.take()) {
            int result = Libc.fsync(scratch.capture(), fd);
            int errno = result == 0 ? 0 : scratch.errno();
            Libc.close(scratch.capture(), fd);
            if (result != 0) {
                throw Errno.exception(errno, "sync directory", directory);
            }
        }
    }
}
