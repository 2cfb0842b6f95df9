// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import io.keptlog.domain.Limits;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Byte arrays that are used again, in size classes of powers of two and the halves between them: a request's body, its batch, a reply's
 * scratch. Safe for any number of threads; never waits: an empty class makes a new array, a full class leaves the returned one to the collector. Arrays
 * come with old bytes in them. What the pool keeps is bounded by {@link Limits#POOLED_BUFFERS_PER_CLASS} and
 * {@link Limits#POOLED_CLASS_BYTES}; larger arrays than its largest class are made and dropped.
 */
public final class BufferPool {
    private static final int SMALLEST_BITS = 14;
    private static final int CLASSES = 17;

    private final ArrayBlockingQueue<byte[]>[] classes;

    public BufferPool() {
        this(Limits.POOLED_CLASS_BYTES);
    }

    /**
     * @param classBytes kept of one size at most, but always one array
     */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public BufferPool(int classBytes) {
        classes = new ArrayBlockingQueue[CLASSES];
        for (int i = 0; i < CLASSES; i++) {
            classes[i] =
                    new ArrayBlockingQueue<>(Math.clamp(classBytes / sizeOf(i), 1, Limits.POOLED_BUFFERS_PER_CLASS));
        }
    }

    /** How long the array is that {@link #take} gives for this length. */
    public static long lengthFor(long minLengthBytes) {
        for (int i = 0; i < CLASSES; i++) {
            if (minLengthBytes <= sizeOf(i)) {
                return sizeOf(i);
            }
        }
        return minLengthBytes;
    }

    /** An array of at least this length, with any content. */
    public byte[] take(int minLengthBytes) {
        for (int i = 0; i < CLASSES; i++) {
            if (minLengthBytes <= sizeOf(i)) {
                byte[] pooled = classes[i].poll();
                return pooled != null ? pooled : new byte[sizeOf(i)];
            }
        }
        return new byte[minLengthBytes];
    }

    /** Gives an array back. The caller must not touch it again. */
    public void give(byte[] array) {
        for (int i = 0; i < CLASSES; i++) {
            if (array.length == sizeOf(i)) {
                classes[i].offer(array);
                return;
            }
        }
    }

    private static int sizeOf(int index) {
        int power = 1 << (SMALLEST_BITS + index / 2);
        return index % 2 == 0 ? power : power + power / 2;
    }
}
