// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.SimulatedFiles;
import io.keptlog.storage.file.StoreFile;
import java.io.Closeable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The simulated machine's files as one process has them: each call may let other threads go first, takes a little time, and is the last
 * one of the process when the machine stands still.
 */
final class ProcessFiles implements FileLayer {
    private static final int YIELDS_ONE_IN = 5;
    private static final int SLOW_SYNC_ONE_IN = 24;

    private final SimulatedFiles machine;
    private final Scheduler process;

    ProcessFiles(SimulatedFiles machine, Scheduler process) {
        this.machine = machine;
        this.process = process;
    }

    private static void trace(String call, Path path, Object more) {
        if (History.TRACE) {
            System.out.println(Thread.currentThread().getName() + " " + call + " " + path + " " + more);
        }
    }

    /** A call of the file layer. */
    private interface Call<T> {
        T make() throws IOException;
    }

    private <T> T call(Call<T> call) throws IOException {
        if (process.choose(YIELDS_ONE_IN) == 0) {
            Thread.yield();
        }
        process.pass(process.choose(20_000));
        try {
            return call.make();
        } finally {
            if (machine.stopped()) {
                process.kill();
            }
        }
    }

    private <T> T sync(Call<T> sync) throws IOException {
        if (process.choose(SLOW_SYNC_ONE_IN) == 0) {
            SimulatedTime.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(1 + process.choose(20)));
        }
        return call(sync);
    }

    @Override
    public StoreFile open(Path file, Mode mode) throws IOException {
        trace("open", file, mode);
        return new ProcessFile(call(() -> machine.open(file, mode)));
    }

    @Override
    public boolean exists(Path path) {
        return machine.exists(path);
    }

    @Override
    public boolean isDirectory(Path path) {
        return machine.isDirectory(path);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        return call(() -> machine.list(directory));
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        trace("createDirectories", directory, "");
        boolean unused = call(() -> {
            machine.createDirectories(directory);
            return true;
        });
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        trace("rename", from, to);
        boolean unused = call(() -> {
            machine.rename(from, to);
            return true;
        });
    }

    @Override
    public void delete(Path path) throws IOException {
        trace("delete", path, "");
        boolean unused = call(() -> {
            machine.delete(path);
            return true;
        });
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        trace("syncDirectory", directory, "");
        boolean unused = sync(() -> {
            machine.syncDirectory(directory);
            return true;
        });
    }

    @Override
    public long usableBytes(Path path) throws IOException {
        return machine.usableBytes(path);
    }

    @Override
    public Closeable lock(Path file) throws IOException {
        return call(() -> machine.lock(file));
    }

    private final class ProcessFile implements StoreFile {
        private final StoreFile file;

        ProcessFile(StoreFile file) {
            this.file = file;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public void write(MemorySegment bytes, long position) throws IOException {
            trace("write", path(), position + "+" + bytes.byteSize());
            boolean unused = call(() -> {
                file.write(bytes, position);
                return true;
            });
        }

        @Override
        public int read(MemorySegment into, long position) throws IOException {
            return call(() -> file.read(into, position));
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public long dataFrom(long position) throws IOException {
            return file.dataFrom(position);
        }

        @Override
        public void allocate(long position, long length) throws IOException {
            boolean unused = call(() -> {
                file.allocate(position, length);
                return true;
            });
        }

        @Override
        public void truncate(long size) throws IOException {
            boolean unused = call(() -> {
                file.truncate(size);
                return true;
            });
        }

        @Override
        public void syncData() throws IOException {
            trace("sync", path(), "");
            boolean unused = sync(() -> {
                file.syncData();
                return true;
            });
        }

        @Override
        public MemorySegment map(long position, long length, Arena arena) throws IOException {
            return call(() -> file.map(position, length, arena));
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
