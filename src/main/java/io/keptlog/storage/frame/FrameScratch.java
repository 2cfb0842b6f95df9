// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.frame;

import static io.keptlog.storage.frame.FrameLayout.HEADER_BYTES;

import io.keptlog.domain.message.MessageBatch;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Owns native memory in which frames are put together before they are written: taken, filled, given back. Any thread; a buffer belongs
 * to one caller at a time. Batches up to 1 MiB use kept buffers, larger ones memory of their own that goes when they are done. Keeps at
 * most 24 MiB.
 */
public final class FrameScratch {
    private static final int SMALL_BYTES = 64 << 10;
    private static final int SMALL_KEPT = 128;
    private static final int LARGE_BYTES = (1 << 20) + 4096;
    private static final int LARGE_KEPT = 16;

    private final ArrayBlockingQueue<MemorySegment> small = new ArrayBlockingQueue<>(SMALL_KEPT);
    private final ArrayBlockingQueue<MemorySegment> large = new ArrayBlockingQueue<>(LARGE_KEPT);

    /**
     * A frame with the batch's body, padded; the header is still to be written.
     *
     * @throws IllegalArgumentException the records do not fit the checksum that came with them: the batch was changed after it was built
     */
    public FrameBuffer fill(MessageBatch batch) {
        int length = FrameLayout.frameLength(batch.bodyLength());
        FrameBuffer buffer = take(length);
        try {
            MemorySegment bytes = buffer.bytes();
            MemorySegment.copy(
                    MemorySegment.ofArray(batch.bytes()), batch.bodyOffset(), bytes, HEADER_BYTES, batch.bodyLength());
            bytes.asSlice(HEADER_BYTES + (long) batch.bodyLength()).fill((byte) 0);
            int crc = Checksums.crc(bytes, HEADER_BYTES, batch.bodyLength());
            if (crc != batch.bodyCrc()) {
                throw new IllegalArgumentException("records with checksum " + Integer.toHexString(crc)
                        + " were handed over as " + Integer.toHexString(batch.bodyCrc()));
            }
            return buffer;
        } catch (Throwable e) {
            buffer.close();
            throw e;
        }
    }

    private FrameBuffer take(int length) {
        if (length > LARGE_BYTES) {
            Arena arena = Arena.ofShared();
            return new FrameBuffer(arena.allocate(length, FrameLayout.ALIGNMENT_BYTES), arena::close);
        }
        ArrayBlockingQueue<MemorySegment> pool = length <= SMALL_BYTES ? small : large;
        MemorySegment kept = pool.poll();
        MemorySegment whole = kept != null
                ? kept
                : Arena.ofAuto()
                        .allocate(length <= SMALL_BYTES ? SMALL_BYTES : LARGE_BYTES, FrameLayout.ALIGNMENT_BYTES);
        // A pool that is full lets the buffer go to the collector.
        return new FrameBuffer(whole.asSlice(0, length), () -> {
            boolean unused = pool.offer(whole);
        });
    }

    /**
     * A frame's memory, for one caller until it is closed, once.
     *
     * @param bytes exactly the frame: header, body, padding
     */
    public record FrameBuffer(MemorySegment bytes, Runnable giveBack) implements AutoCloseable {
        public int length() {
            return (int) bytes.byteSize();
        }

        @Override
        public void close() {
            giveBack.run();
        }
    }
}
