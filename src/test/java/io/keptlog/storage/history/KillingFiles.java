// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The real files of this process, which sends itself SIGKILL at a {@link CrashPoint}. */
final class KillingFiles implements FileLayer {
    private final FileLayer below;
    private final CrashPoint point;
    private final AtomicInteger seen = new AtomicInteger();

    KillingFiles(FileLayer below, CrashPoint point) {
        this.below = below;
        this.point = point;
    }

    /** A call of the layer below. */
    private interface Made<T> {
        T make() throws IOException;
    }

    private <T> T call(Call call, Path path, Made<T> made) throws IOException {
        boolean here = point.matches(call, path) && seen.incrementAndGet() == point.nth();
        if (here && !point.isAfter()) {
            die();
        }
        T result = made.make();
        if (here) {
            die();
        }
        return result;
    }

    private static void die() throws IOException {
        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
        while (true) {
            Thread.onSpinWait();
        }
    }

    @Override
    public StoreFile open(Path file, Mode mode) throws IOException {
        return new KillingFile(
                call(mode == Mode.CREATE_NEW ? Call.CREATE : Call.OPEN, file, () -> below.open(file, mode)));
    }

    @Override
    public boolean exists(Path path) {
        return below.exists(path);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        return below.list(directory);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        below.createDirectories(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        boolean unused = call(Call.RENAME, to, () -> {
            below.rename(from, to);
            return true;
        });
    }

    @Override
    public void delete(Path path) throws IOException {
        boolean unused = call(Call.DELETE, path, () -> {
            below.delete(path);
            return true;
        });
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        boolean unused = call(Call.SYNC_DIRECTORY, directory, () -> {
            below.syncDirectory(directory);
            return true;
        });
    }

    @Override
    public boolean isDirectory(Path path) {
        return below.isDirectory(path);
    }

    @Override
    public long usableBytes(Path path) throws IOException {
        return below.usableBytes(path);
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return below.lock(file);
    }

    private final class KillingFile implements StoreFile {
        private final StoreFile file;

        KillingFile(StoreFile file) {
            this.file = file;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public void write(MemorySegment bytes, long position) throws IOException {
            boolean unused = call(Call.WRITE, path(), () -> {
                file.write(bytes, position);
                return true;
            });
        }

        @Override
        public int read(MemorySegment into, long position) throws IOException {
            return file.read(into, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void readNothingAhead() throws IOException {
            file.readNothingAhead();
        }

        @Override
        public long dataFrom(long position) throws IOException {
            return file.dataFrom(position);
        }

        @Override
        public void allocate(long position, long length) throws IOException {
            file.allocate(position, length);
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void syncData() throws IOException {
            boolean unused = call(Call.SYNC, path(), () -> {
                file.syncData();
                return true;
            });
        }

        @Override
        public MemorySegment map(long position, long length, Arena arena) throws IOException {
            return file.map(position, length, arena);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
