// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file descriptor. Each call holds a use of it, and the last one out closes it: a number that is still in a call can never be given to
 * another file. After {@link #close} new calls fail; those in progress end as usual. Signals (EINTR) are retried, except in a sync:
 * there nobody knows what an interrupted call has left clean.
 */
final class PosixFile implements StoreFile {
    private static final long PAGE_BYTES = 64 << 10; // The largest page size of the supported machines.
    private static final long CLOSED = 1L << 32;

    private final Path path;
    private final int fd;
    /** Uses in the low half, the closed mark above. The open file itself is one use. */
    private final AtomicLong uses = new AtomicLong(1);

    PosixFile(Path path, int fd) {
        this.path = path;
        this.fd = fd;
    }

    @Override
    public Path path() {
        return path;
    }

    private Scratch begin() throws IOException {
        while (true) {
            long now = uses.get();
            if ((now & CLOSED) != 0) {
                throw new IOException(Errno.name(path) + " is closed");
            }
            if (uses.compareAndSet(now, now + 1)) {
                return Scratch.take();
            }
        }
    }

    private void end(Scratch scratch) {
        scratch.close();
        if (uses.decrementAndGet() == CLOSED) {
            closeDescriptor();
        }
    }

    @Override
    public void close() throws IOException {
        long now = uses.get();
        while ((now & CLOSED) == 0) {
            if (uses.compareAndSet(now, (now - 1) | CLOSED)) {
                if (now == 1) {
                    closeDescriptor();
                }
                return;
            }
            now = uses.get();
        }
    }

    /** What close(2) reports says nothing that a sync has not said; the descriptor is gone in any case, so it is never retried. */
    private void closeDescriptor() {
        try (Scratch scratch = Scratch.take()) {
            Libc.close(scratch.capture(), fd);
        }
    }

    @Override
    public void write(MemorySegment bytes, long position) throws IOException {
        Scratch scratch = begin();
        try {
            if (bytes.isNative()) {
                writeNative(scratch, bytes, position);
                return;
            }
            for (long done = 0; done < bytes.byteSize(); ) {
                long step = Math.min(Scratch.BLOCK_BYTES, bytes.byteSize() - done);
                MemorySegment.copy(bytes, done, scratch.block(), 0, step);
                writeNative(scratch, scratch.block().asSlice(0, step), position + done);
                done += step;
            }
        } finally {
            end(scratch);
        }
    }

    private void writeNative(Scratch scratch, MemorySegment bytes, long position) throws IOException {
        long length = bytes.byteSize();
        for (long done = 0; done < length; ) {
            long wrote = Libc.pwrite(scratch.capture(), fd, bytes.asSlice(done), length - done, position + done);
            if (wrote > 0) {
                done += wrote;
            } else if (wrote == 0) {
                throw Errno.exception(Errno.EIO, "write", path);
            } else if (scratch.errno() != Errno.EINTR) {
                throw Errno.exception(scratch.errno(), "write", path);
            }
        }
    }

    @Override
    public int read(MemorySegment into, long position) throws IOException {
        if (into.byteSize() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("read of " + into.byteSize() + " bytes");
        }
        Scratch scratch = begin();
        try {
            if (into.isNative()) {
                return readNative(scratch, into, position);
            }
            int done = 0;
            while (done < into.byteSize()) {
                long step = Math.min(Scratch.BLOCK_BYTES, into.byteSize() - done);
                int got = readNative(scratch, scratch.block().asSlice(0, step), position + done);
                MemorySegment.copy(scratch.block(), 0, into, done, got);
                done += got;
                if (got < step) {
                    break;
                }
            }
            return done;
        } finally {
            end(scratch);
        }
    }

    private int readNative(Scratch scratch, MemorySegment into, long position) throws IOException {
        int length = (int) into.byteSize();
        int done = 0;
        while (done < length) {
            long got = Libc.pread(scratch.capture(), fd, into.asSlice(done), length - done, position + done);
            if (got == 0) {
                break;
            }
            if (got > 0) {
                done += (int) got;
            } else if (scratch.errno() != Errno.EINTR) {
                throw Errno.exception(scratch.errno(), "read", path);
            }
        }
        return done;
    }

    @Override
    public long size() throws IOException {
        Scratch scratch = begin();
        try {
            return size(scratch);
        } finally {
            end(scratch);
        }
    }

    /** Reads and writes are positional, so nothing depends on the position that this moves. */
    private long size(Scratch scratch) throws IOException {
        long size = Libc.lseek(scratch.capture(), fd, 0, Libc.SEEK_END);
        if (size < 0) {
            throw Errno.exception(scratch.errno(), "size of", path);
        }
        return size;
    }

    @Override
    public void readNothingAhead() throws IOException {
        Scratch scratch = begin();
        try {
            // Its result is an error number, and whatever it is, reads go on as before.
            int unused = Libc.posixFadvise(scratch.capture(), fd, Libc.POSIX_FADV_RANDOM);
        } finally {
            end(scratch);
        }
    }

    @Override
    public long dataFrom(long position) throws IOException {
        Scratch scratch = begin();
        try {
            long found = Libc.lseek(scratch.capture(), fd, position, Libc.SEEK_DATA);
            if (found >= 0) {
                return found;
            }
            return switch (scratch.errno()) {
                case Errno.ENXIO -> Math.max(position, size(scratch));
                case Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ENOSYS -> position;
                default -> throw Errno.exception(scratch.errno(), "find data in", path);
            };
        } finally {
            end(scratch);
        }
    }

    @Override
    public void allocate(long position, long length) throws IOException {
        if (length == 0) {
            return;
        }
        Scratch scratch = begin();
        try {
            while (Libc.fallocate(scratch.capture(), fd, position, length) != 0) {
                int errno = scratch.errno();
                if (errno == Errno.EOPNOTSUPP || errno == Errno.ENOSYS) {
                    fillWithZeros(scratch, position + length);
                    return;
                }
                if (errno != Errno.EINTR) {
                    throw Errno.exception(errno, "allocate", path);
                }
            }
        } finally {
            end(scratch);
        }
    }

    /** For file systems without fallocate. Only beyond the end: what exists may be under another writer's hands. */
    private void fillWithZeros(Scratch scratch, long end) throws IOException {
        scratch.block().fill((byte) 0);
        for (long at = size(scratch); at < end; ) {
            long step = Math.min(Scratch.BLOCK_BYTES, end - at);
            writeNative(scratch, scratch.block().asSlice(0, step), at);
            at += step;
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        Scratch scratch = begin();
        try {
            while (Libc.ftruncate(scratch.capture(), fd, size) != 0) {
                if (scratch.errno() != Errno.EINTR) {
                    throw Errno.exception(scratch.errno(), "truncate", path);
                }
            }
        } finally {
            end(scratch);
        }
    }

    @Override
    public void syncData() throws IOException {
        Scratch scratch = begin();
        try {
            if (Libc.fdatasync(scratch.capture(), fd) != 0) {
                throw Errno.exception(scratch.errno(), "sync", path);
            }
        } finally {
            end(scratch);
        }
    }

    @Override
    @SuppressWarnings("restricted") // The range was checked against the file.
    public MemorySegment map(long position, long length, Arena arena) throws IOException {
        if (length == 0) {
            return MemorySegment.NULL;
        }
        Scratch scratch = begin();
        try {
            long size = size(scratch);
            if (position < 0 || length < 0 || position > size - length) {
                // Touching a page beyond the end would be a fault of the whole process.
                throw new IOException("map " + Errno.name(path) + ": range ends beyond the file");
            }
            long lead = position % PAGE_BYTES;
            long address = Libc.mmap(scratch.capture(), fd, position - lead, lead + length);
            if (address == Libc.MAP_FAILED) {
                throw Errno.exception(scratch.errno(), "map", path);
            }
            return MemorySegment.ofAddress(address)
                    .reinterpret(lead + length, arena, ignored -> unmap(address, lead + length))
                    .asSlice(lead, length)
                    .asReadOnly();
        } finally {
            end(scratch);
        }
    }

    private static void unmap(long address, long length) {
        try (Scratch scratch = Scratch.take()) {
            if (Libc.munmap(scratch.capture(), address, length) != 0) {
                throw new IllegalStateException("munmap: " + Errno.text(scratch.errno()));
            }
        }
    }
}
