// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.file;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Native memory for one call at a time: where errno is captured, and a block through which heap bytes and paths pass. Taken from a
 * bounded pool that belongs to no thread (virtual threads come and go); when the pool is empty, a block is made for this use and freed
 * after it. At most {@link #POOLED} × {@link #BLOCK_BYTES} stay allocated.
 */
final class Scratch implements AutoCloseable {
    /** Bytes of heap memory copied per system call: large enough that the call's price does not show. */
    static final int BLOCK_BYTES = 128 << 10;

    private static final int POOLED = 32;
    private static final AtomicReferenceArray<Scratch> POOL = new AtomicReferenceArray<>(POOLED);

    private final Arena arena = Arena.ofShared();
    private final MemorySegment capture = arena.allocate(Libc.CAPTURE);
    private final MemorySegment block = arena.allocate(BLOCK_BYTES, 64);

    private Scratch() {}

    static Scratch take() {
        int start = (int) (Thread.currentThread().threadId() % POOLED);
        for (int i = 0; i < POOLED; i++) {
            Scratch pooled = POOL.getAndSet((start + i) % POOLED, null);
            if (pooled != null) {
                return pooled;
            }
        }
        return new Scratch();
    }

    /** Gives it back to the pool. */
    @Override
    public void close() {
        int start = (int) (Thread.currentThread().threadId() % POOLED);
        for (int i = 0; i < POOLED; i++) {
            if (POOL.compareAndSet((start + i) % POOLED, null, this)) {
                return;
            }
        }
        arena.close();
    }

    MemorySegment capture() {
        return capture;
    }

    int errno() {
        return Libc.errno(capture);
    }

    MemorySegment block() {
        return block;
    }

    /** The path as the C library wants it, in the first or second half of the block. */
    MemorySegment path(java.nio.file.Path path, int half) {
        byte[] bytes = path.toString().getBytes(StandardCharsets.UTF_8);
        MemorySegment into = block.asSlice((long) half * (BLOCK_BYTES / 2), BLOCK_BYTES / 2);
        MemorySegment.copy(MemorySegment.ofArray(bytes), 0, into, 0, bytes.length);
        into.set(java.lang.foreign.ValueLayout.JAVA_BYTE, bytes.length, (byte) 0);
        return into;
    }
}
