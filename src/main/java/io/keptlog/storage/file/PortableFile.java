// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A RandomAccessFile. Its own lock keeps seek and transfer together; the lock shared by all files of the layer is held while a file
 * changes its size. Syncs run beside both.
 */
final class PortableFile implements StoreFile {
    private static final int BLOCK_BYTES = 128 << 10;

    private final Path path;
    private final RandomAccessFile file;
    private final boolean readOnly;
    private final ReentrantLock sizes;
    private final ReentrantLock position = new ReentrantLock();

    PortableFile(Path path, RandomAccessFile file, ReentrantLock sizes, boolean readOnly) {
        this.path = path;
        this.file = file;
        this.sizes = sizes;
        this.readOnly = readOnly;
    }

    @Override
    public Path path() {
        return path;
    }

    @Override
    public void write(MemorySegment bytes, long at) throws IOException {
        boolean grows = at + bytes.byteSize() > file.length();
        if (grows) {
            sizes.lock();
        }
        try {
            transferOut(bytes, at);
        } catch (IOException e) {
            throw PortableFiles.translated(e);
        } finally {
            if (grows) {
                sizes.unlock();
            }
        }
    }

    private void transferOut(MemorySegment bytes, long at) throws IOException {
        byte[] block = new byte[(int) Math.min(BLOCK_BYTES, bytes.byteSize())];
        position.lock();
        try {
            file.seek(at);
            for (long done = 0; done < bytes.byteSize(); ) {
                int step = (int) Math.min(block.length, bytes.byteSize() - done);
                MemorySegment.copy(bytes, ValueLayout.JAVA_BYTE, done, block, 0, step);
                file.write(block, 0, step);
                done += step;
            }
        } finally {
            position.unlock();
        }
    }

    @Override
    public int read(MemorySegment into, long at) throws IOException {
        if (into.byteSize() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("read of " + into.byteSize() + " bytes");
        }
        byte[] block = new byte[(int) Math.min(BLOCK_BYTES, into.byteSize())];
        int done = 0;
        position.lock();
        try {
            file.seek(at);
            while (done < into.byteSize()) {
                int got = file.read(block, 0, (int) Math.min(block.length, into.byteSize() - done));
                if (got < 0) {
                    break;
                }
                MemorySegment.copy(block, 0, into, ValueLayout.JAVA_BYTE, done, got);
                done += got;
            }
            return done;
        } finally {
            position.unlock();
        }
    }

    @Override
    public long size() throws IOException {
        return file.length();
    }

    @Override
    public long dataFrom(long at) {
        return at;
    }

    @Override
    public void allocate(long from, long length) throws IOException {
        byte[] zeros = new byte[(int) Math.min(BLOCK_BYTES, length)];
        long end = from + length;
        while (true) {
            sizes.lock();
            try {
                long size = file.length();
                if (size >= end) {
                    return;
                }
                transferOut(MemorySegment.ofArray(zeros).asSlice(0, Math.min(zeros.length, end - size)), size);
            } catch (IOException e) {
                throw PortableFiles.translated(e);
            } finally {
                sizes.unlock();
            }
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        sizes.lock();
        try {
            file.setLength(size);
        } catch (IOException e) {
            throw PortableFiles.translated(e);
        } finally {
            sizes.unlock();
        }
    }

    @Override
    public void syncData() throws IOException {
        file.getFD().sync();
    }

    @Override
    @SuppressWarnings("restricted") // The range was checked against the file.
    public MemorySegment map(long at, long length, Arena arena) throws IOException {
        if (length == 0) {
            return MemorySegment.NULL;
        }
        if (at < 0 || length < 0 || at > file.length() - length) {
            throw new IOException("map " + Errno.name(path) + ": range ends beyond the file");
        }
        // The caller's arena may be bound to the caller's thread, so the mapping gets one of its own that ends with it.
        Arena own = Arena.ofShared();
        MemorySegment mapped = Undisturbed.run(() -> mapped(at, length, own));
        return mapped.reinterpret(arena, ignored -> own.close()).asReadOnly();
    }

    private MemorySegment mapped(long at, long length, Arena own) throws IOException {
        try {
            return file.getChannel().map(FileChannel.MapMode.READ_ONLY, at, length, own);
        } catch (IOException | RuntimeException | Error e) {
            own.close();
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    @Override
    public String toString() {
        return Errno.name(path) + (readOnly ? " (read-only)" : "");
    }
}
