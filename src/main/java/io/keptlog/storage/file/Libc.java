// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * The calls of the C library that the file layer needs, on 64-bit Linux. The first argument of each is where errno is captured; a
 * negative result means that {@link #errno} says why. Nothing is retried here. Linked when first used; constants are those of the
 * generic Linux ABI (amd64, aarch64, riscv64, ppc64le, s390x alike).
 */
@SuppressWarnings("restricted") // Native calls are what this class is for; every argument is checked by its callers.
final class Libc {
    static final int O_RDONLY = 0;
    static final int O_RDWR = 2;
    static final int O_CREAT = 0100;
    static final int O_EXCL = 0200;
    static final int O_CLOEXEC = 02000000;
    static final int SEEK_END = 2;
    static final int SEEK_DATA = 3;
    static final int POSIX_FADV_RANDOM = 1;
    static final int PROT_READ = 1;
    static final int MAP_SHARED = 1;
    /** What mmap returns when it fails. */
    static final long MAP_FAILED = -1;

    static final StructLayout CAPTURE = Linker.Option.captureStateLayout();

    private static final Linker LINKER = Linker.nativeLinker();
    private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final VarHandle ERRNO_VALUE = CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPEN = LINKER.downcallHandle(
            symbol("open"),
            FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
            ERRNO,
            Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE = link("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle PWRITE =
            link("pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PREAD =
            link("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FDATASYNC = link("fdatasync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FSYNC = link("fsync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FALLOCATE =
            link("fallocate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FTRUNCATE =
            link("ftruncate", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle LSEEK =
            link("lseek", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_INT));
    private static final MethodHandle POSIX_FADVISE =
            link("posix_fadvise", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle MMAP = link(
            "mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = link("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle MKDIR = link("mkdir", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle RENAME = link("rename", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));
    private static final MethodHandle UNLINK = link("unlink", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MethodHandle RMDIR = link("rmdir", FunctionDescriptor.of(JAVA_INT, ADDRESS));

    private Libc() {}

    private static MemorySegment symbol(String name) {
        return LINKER.defaultLookup().findOrThrow(name);
    }

    private static MethodHandle link(String name, FunctionDescriptor descriptor) {
        return LINKER.downcallHandle(symbol(name), descriptor, ERRNO);
    }

    static int errno(MemorySegment capture) {
        return (int) ERRNO_VALUE.get(capture, 0L);
    }

    static int open(MemorySegment capture, MemorySegment path, int flags, int mode) {
        try {
            return (int) OPEN.invokeExact(capture, path, flags, mode);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int close(MemorySegment capture, int fd) {
        return onDescriptor(CLOSE, capture, fd);
    }

    static int fdatasync(MemorySegment capture, int fd) {
        return onDescriptor(FDATASYNC, capture, fd);
    }

    static int fsync(MemorySegment capture, int fd) {
        return onDescriptor(FSYNC, capture, fd);
    }

    static long pwrite(MemorySegment capture, int fd, MemorySegment bytes, long length, long position) {
        return transfer(PWRITE, capture, fd, bytes, length, position);
    }

    static long pread(MemorySegment capture, int fd, MemorySegment into, long length, long position) {
        return transfer(PREAD, capture, fd, into, length, position);
    }

    static int fallocate(MemorySegment capture, int fd, long position, long length) {
        try {
            return (int) FALLOCATE.invokeExact(capture, fd, 0, position, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int ftruncate(MemorySegment capture, int fd, long size) {
        try {
            return (int) FTRUNCATE.invokeExact(capture, fd, size);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long lseek(MemorySegment capture, int fd, long position, int whence) {
        try {
            return (long) LSEEK.invokeExact(capture, fd, position, whence);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** For the whole file. */
    static int posixFadvise(MemorySegment capture, int fd, int advice) {
        try {
            return (int) POSIX_FADVISE.invokeExact(capture, fd, 0L, 0L, advice);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static long mmap(MemorySegment capture, int fd, long position, long length) {
        try {
            return (long) MMAP.invokeExact(capture, 0L, length, PROT_READ, MAP_SHARED, fd, position);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int munmap(MemorySegment capture, long address, long length) {
        try {
            return (int) MUNMAP.invokeExact(capture, address, length);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int mkdir(MemorySegment capture, MemorySegment path, int mode) {
        try {
            return (int) MKDIR.invokeExact(capture, path, mode);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int rename(MemorySegment capture, MemorySegment from, MemorySegment to) {
        try {
            return (int) RENAME.invokeExact(capture, from, to);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    static int unlink(MemorySegment capture, MemorySegment path) {
        return onPath(UNLINK, capture, path);
    }

    static int rmdir(MemorySegment capture, MemorySegment path) {
        return onPath(RMDIR, capture, path);
    }

    private static int onDescriptor(MethodHandle call, MemorySegment capture, int fd) {
        try {
            return (int) call.invokeExact(capture, fd);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static int onPath(MethodHandle call, MemorySegment capture, MemorySegment path) {
        try {
            return (int) call.invokeExact(capture, path);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    private static long transfer(
            MethodHandle call, MemorySegment capture, int fd, MemorySegment bytes, long length, long position) {
        try {
            return (long) call.invokeExact(capture, fd, bytes, length, position);
        } catch (Throwable t) {
            throw unexpected(t);
        }
    }

    /** A native call throws nothing of its own; what comes here is an error of the machine (or of this class). */
    private static RuntimeException unexpected(Throwable t) {
        if (t instanceof Error error) {
            throw error;
        }
        return t instanceof RuntimeException e ? e : new IllegalStateException(t);
    }
}
