// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Error numbers of Linux and the exceptions they become. Messages name the file without its directory: they may end up in an HTTP
 * reply.
 */
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int ENXIO = 6;
    static final int EACCES = 13;
    static final int EEXIST = 17;
    static final int EISDIR = 21;
    static final int EINVAL = 22;
    static final int EFBIG = 27;
    static final int ENOSPC = 28;
    static final int ENOSYS = 38;
    static final int ENOTEMPTY = 39;
    static final int EOPNOTSUPP = 95;
    static final int EDQUOT = 122;

    private Errno() {}

    static IOException exception(int errno, String call, Path path) {
        String name = name(path);
        return switch (errno) {
                // The file size limit (ulimit -f) refuses growth as a full disk does, and ends as one does.
            case ENOSPC, EDQUOT, EFBIG -> new NoSpaceException(call + " " + name + ": " + text(errno));
            case ENOENT -> new NoSuchFileException(name, null, text(errno));
            case EEXIST -> new FileAlreadyExistsException(name, null, text(errno));
            case EACCES, EPERM -> new AccessDeniedException(name, null, text(errno));
            case ENOTEMPTY -> new DirectoryNotEmptyException(name);
            default -> new IOException(call + " " + name + ": " + text(errno));
        };
    }

    static String name(Path path) {
        Path name = path.getFileName();
        return name == null ? "/" : name.toString();
    }

    static String text(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted (EPERM)";
            case ENOENT -> "no such file or directory (ENOENT)";
            case EINTR -> "interrupted by a signal (EINTR)";
            case EIO -> "input/output error (EIO)";
            case 9 -> "bad file descriptor (EBADF)";
            case 12 -> "out of memory or of mappings (ENOMEM)";
            case EACCES -> "permission denied (EACCES)";
            case 16 -> "device or resource busy (EBUSY)";
            case EEXIST -> "file exists (EEXIST)";
            case 18 -> "not the same file system (EXDEV)";
            case 20 -> "not a directory (ENOTDIR)";
            case EISDIR -> "is a directory (EISDIR)";
            case EINVAL -> "invalid argument (EINVAL)";
            case 23 -> "too many open files in the system (ENFILE)";
            case 24 -> "too many open files (EMFILE)";
            case EFBIG -> "file size limit reached (EFBIG)";
            case ENOSPC -> "no space left on device (ENOSPC)";
            case 30 -> "read-only file system (EROFS)";
            case 36 -> "name too long (ENAMETOOLONG)";
            case ENOTEMPTY -> "directory not empty (ENOTEMPTY)";
            case EOPNOTSUPP -> "operation not supported (EOPNOTSUPP)";
            case EDQUOT -> "disk quota exceeded (EDQUOT)";
            default -> "errno " + errno;
        };
    }
}
