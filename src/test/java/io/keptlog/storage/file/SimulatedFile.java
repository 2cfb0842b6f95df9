// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import io.keptlog.storage.file.SimulatedFiles.Call;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** An open file of the simulated machine. Every call holds the machine's lock. */
final class SimulatedFile implements StoreFile {
    private final SimulatedFiles machine;
    private final Path path;
    private final SimulatedContent content;
    private final boolean readOnly;
    private boolean closed;

    SimulatedFile(SimulatedFiles machine, Path path, SimulatedContent content, boolean readOnly) {
        this.machine = machine;
        this.path = path;
        this.content = content;
        this.readOnly = readOnly;
    }

    @Override
    public Path path() {
        return path;
    }

    private void mayRead() throws IOException {
        machine.mayRead();
        if (closed) {
            throw new IOException(Errno.name(path) + " is closed");
        }
    }

    private void mayChange() throws IOException {
        mayRead();
        if (readOnly) {
            throw new IOException(Errno.name(path) + " is open for reading only");
        }
        machine.mayChange();
    }

    private IOException failed(String call) {
        return Errno.exception(Errno.EIO, call, path);
    }

    @Override
    public void write(MemorySegment bytes, long position) throws IOException {
        synchronized (machine) {
            boolean stops = machine.stopsAtNextChange();
            if (!stops) {
                mayChange();
            }
            if (machine.writesBack() && machine.random().nextInt(16) == 0) {
                content.writeBackSome(machine.random());
            }
            boolean full = machine.lacks(content.missingBlocks(position, bytes.byteSize()));
            boolean fails = machine.fails(Call.WRITE);
            if (full || fails || stops) {
                // Some of it may be written: what needs no new block, never more than a part, and whole sectors only:
                // the kernel
                // copies page by page.
                long part = bytes.byteSize() == 0 ? 0 : machine.random().nextLong(bytes.byteSize());
                part = Math.max(0, (position + part) / SimulatedContent.SECTOR * SimulatedContent.SECTOR - position);
                while (part > 0 && machine.lacks(content.missingBlocks(position, part))) {
                    part /= 2;
                }
                content.write(bytes.asSlice(0, part), position);
                if (stops) {
                    mayChange();
                }
                if (full) {
                    throw Errno.exception(Errno.ENOSPC, "write", path);
                }
                throw failed("write");
            }
            content.write(bytes, position);
        }
    }

    @Override
    public int read(MemorySegment into, long position) throws IOException {
        synchronized (machine) {
            mayRead();
            if (machine.fails(Call.READ)) {
                throw failed("read");
            }
            return content.read(into, position);
        }
    }

    @Override
    public long size() throws IOException {
        synchronized (machine) {
            mayRead();
            return content.size();
        }
    }

    @Override
    public long dataFrom(long position) throws IOException {
        synchronized (machine) {
            mayRead();
            return content.dataFrom(position);
        }
    }

    @Override
    public void allocate(long position, long length) throws IOException {
        synchronized (machine) {
            mayChange();
            if (machine.lacks(content.missingBlocks(position, length))) {
                throw Errno.exception(Errno.ENOSPC, "allocate", path);
            }
            content.allocate(position, length);
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        synchronized (machine) {
            mayChange();
            content.truncate(size);
        }
    }

    @Override
    public void syncData() throws IOException {
        synchronized (machine) {
            mayRead();
            machine.mayChange();
            if (machine.fails(Call.SYNC)) {
                content.failSync(machine.random());
                throw failed("sync");
            }
            if (!machine.lying()) {
                content.sync();
                machine.fileSynced();
            }
        }
    }

    @Override
    @SuppressWarnings("restricted") // The range was checked against the file.
    public MemorySegment map(long position, long length, Arena arena) throws IOException {
        synchronized (machine) {
            mayRead();
            if (position < 0 || length < 0 || position > content.size() - length) {
                throw new IOException("map " + Errno.name(path) + ": range ends beyond the file");
            }
            if (length == 0) {
                return MemorySegment.NULL;
            }
            // Nobody closes what a killed process had mapped: its memory goes with the last one that knows it.
            var view = new SimulatedContent.View(position, Arena.ofAuto().allocate(length, 4096));
            content.addView(view);
            return view.memory().reinterpret(arena, ignored -> unmap(view)).asReadOnly();
        }
    }

    private void unmap(SimulatedContent.View view) {
        synchronized (machine) {
            content.removeView(view);
        }
    }

    @Override
    public void close() {
        synchronized (machine) {
            closed = true;
        }
    }
}
