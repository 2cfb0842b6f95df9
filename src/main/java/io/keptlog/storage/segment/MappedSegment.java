// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.cold.ColdReads;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.StoreFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Owns the mapping of one segment file; nothing else maps one. Mapped when it is first read, mapped anew when the file has grown, unmapped
 * when it is not needed.
 * <p>Any thread. Readers pin a mapping; it is unmapped when it was replaced or retired and the last pin is gone, so memory that somebody
 * reads never goes away, whatever happens to the file.
 * <p>A crash leaves nothing of it. An IOException of {@link #pin} changes nothing.
 */
final class MappedSegment {
    private final FileLayer files;
    private final Path file;
    private final MappingBudget budget;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Mapping current;
    private volatile boolean used;
    private boolean retired;

    MappedSegment(FileLayer files, Path file, MappingBudget budget) {
        this.files = files;
        this.file = file;
        this.budget = budget;
    }

    /**
     * The file's bytes, at least up to {@code end}; the caller unpins.
     *
     * @throws NoSuchFileException the segment was deleted
     */
    Mapping pin(long end) throws IOException {
        used = true;
        Mapping mapping = current;
        if (mapping != null && mapping.memory.byteSize() >= end && mapping.tryPin()) {
            return mapping;
        }
        Mapping made;
        lock.lock();
        try {
            mapping = current;
            if (mapping != null && mapping.memory.byteSize() >= end && mapping.tryPin()) {
                return mapping;
            }
            if (retired) {
                throw new NoSuchFileException(String.valueOf(file.getFileName()));
            }
            made = map(end);
            made.pins.incrementAndGet();
            current = made;
        } finally {
            lock.unlock();
        }
        if (mapping != null) {
            mapping.unpin();
        }
        budget.mapped(this);
        return made;
    }

    private Mapping map(long end) throws IOException {
        Arena arena = Arena.ofShared();
        try (StoreFile opened = files.open(file, FileLayer.Mode.READ)) {
            long size = opened.size();
            if (size < end) {
                throw new IOException(file.getFileName() + " ends at " + size + ", expected at least " + end);
            }
            return new Mapping(opened.map(0, size, arena), arena);
        } catch (Throwable e) {
            arena.close();
            throw e;
        }
    }

    /** Lets the mapping go; pins keep it until they are gone. It can be mapped again. */
    void unmap() {
        Mapping old;
        lock.lock();
        try {
            old = current;
            current = null;
        } finally {
            lock.unlock();
        }
        if (old != null) {
            old.unpin();
        }
    }

    /** The file is being deleted: no new pins. */
    void retire() {
        lock.lock();
        try {
            retired = true;
        } finally {
            lock.unlock();
        }
        budget.forget(this);
        unmap();
    }

    boolean isMapped() {
        return current != null;
    }

    /** Whether it was read since the last time this was asked. */
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    /** One mapping with its pins; the segment itself holds one of them. */
    static final class Mapping implements ColdReads.Held {
        private final MemorySegment memory;
        private final Arena arena;
        private final AtomicInteger pins = new AtomicInteger(1);

        Mapping(MemorySegment memory, Arena arena) {
            this.memory = memory.asReadOnly();
            this.arena = arena;
        }

        MemorySegment memory() {
            return memory;
        }

        private boolean tryPin() {
            int now = pins.get();
            while (now > 0) {
                if (pins.compareAndSet(now, now + 1)) {
                    return true;
                }
                now = pins.get();
            }
            return false;
        }

        @Override
        public void hold() {
            pins.incrementAndGet();
        }

        @Override
        public void release() {
            unpin();
        }

        void unpin() {
            int left = pins.decrementAndGet();
            if (left == 0) {
                arena.close();
            } else if (left < 0) {
                throw new IllegalStateException("a mapping was unpinned more often than pinned");
            }
        }
    }
}
