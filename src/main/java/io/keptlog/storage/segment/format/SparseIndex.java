// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Where some of a segment's frames lie, about one per 8 KiB, by offset and by append time. A cache: whatever it says is a place to begin
 * reading frames at, and every frame proves itself.
 *
 * <p>One writer ({@link #note}), any number of readers; readers never wait for the writer. The part before the first noted frame may be
 * missing and is then fetched by the first reader that needs it. Lives in memory; {@link IndexFile} is its form on disk.
 */
public final class SparseIndex {
    /** A frame that begins at least this far behind the last noted one is noted. */
    public static final int INTERVAL_BYTES = 8192;

    private static final int FIRST_CAPACITY = 16;

    /** Fetches the part of an index that lies before what is in memory. */
    @FunctionalInterface
    public interface Head {
        /**
         * @return an index of the same segment, complete from its first frame up to where this one begins; more is ignored
         * @throws IOException the segment could not be read; asked again next time
         */
        SparseIndex load() throws IOException;
    }

    /** Entries 0 to count; the arrays may go on. Entries are written before the view that shows them is published. */
    private record View(int[] relativeOffsets, int[] positions, long[] timesMicros, int count) {
        static final View EMPTY = new View(new int[0], new int[0], new long[0], 0);

        View plus(int relativeOffset, int position, long timeMicros) {
            View target = count < positions.length ? this : grown(Math.max(FIRST_CAPACITY, count * 2));
            target.relativeOffsets[count] = relativeOffset;
            target.positions[count] = position;
            target.timesMicros[count] = timeMicros;
            return new View(target.relativeOffsets, target.positions, target.timesMicros, count + 1);
        }

        private View grown(int capacity) {
            return new View(
                    Arrays.copyOf(relativeOffsets, capacity),
                    Arrays.copyOf(positions, capacity),
                    Arrays.copyOf(timesMicros, capacity),
                    count);
        }

        View after(View head, int headCount) {
            View joined = head.grown(headCount + count);
            System.arraycopy(relativeOffsets, 0, joined.relativeOffsets, headCount, count);
            System.arraycopy(positions, 0, joined.positions, headCount, count);
            System.arraycopy(timesMicros, 0, joined.timesMicros, headCount, count);
            return new View(joined.relativeOffsets, joined.positions, joined.timesMicros, headCount + count);
        }

        int countBefore(int position) {
            int found = Arrays.binarySearch(positions, 0, count, position);
            return found >= 0 ? found : -found - 1;
        }
    }

    private final long baseOffset;
    private final ReentrantLock headLock = new ReentrantLock();
    private final int headEndPosition;
    private volatile @Nullable Head head;
    private volatile View view = View.EMPTY;

    /** An index of a segment from its first frame on. */
    public SparseIndex(long baseOffset) {
        this(baseOffset, SegmentHeader.FIRST_FRAME_POSITION, null);
    }

    /**
     * An index that begins inside its segment.
     *
     * @param headEndPosition frames from here on are noted by the caller
     * @param head fetches what lies before, when it is needed
     */
    public SparseIndex(long baseOffset, long headEndPosition, @Nullable Head head) {
        this.baseOffset = baseOffset;
        this.headEndPosition = Math.toIntExact(headEndPosition);
        this.head = headEndPosition > SegmentHeader.FIRST_FRAME_POSITION ? head : null;
    }

    /** Base offset of the segment. */
    public long baseOffset() {
        return baseOffset;
    }

    /** Tells of the next frame, in the order of the file. Most are passed over. */
    public void note(long frameBaseOffset, long position, long appendTimeMicros) {
        View current = view;
        if (current.count > 0 && position - current.positions[current.count - 1] < INTERVAL_BYTES) {
            return;
        }
        synchronized (this) {
            view = view.plus(
                    Math.toIntExact(frameBaseOffset - baseOffset), Math.toIntExact(position), appendTimeMicros);
        }
    }

    /**
     * A frame at or before the one that holds this offset, in file order; the first frame when nothing nearer is known.
     *
     * @throws IOException the missing head could not be fetched
     */
    public long floorPosition(long offset) throws IOException {
        View current = view;
        if (current.count == 0 || offset - baseOffset < current.relativeOffsets[0]) {
            current = withHead();
        }
        int low = 0;
        int high = current.count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (current.relativeOffsets[middle] <= offset - baseOffset) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? SegmentHeader.FIRST_FRAME_POSITION : current.positions[low - 1];
    }

    /**
     * A frame from which reading on meets the first frame appended at or after this time; the first frame when nothing nearer is known.
     *
     * @param timestampMicros unsigned
     * @throws IOException the missing head could not be fetched
     */
    public long positionBefore(long timestampMicros) throws IOException {
        View current = view;
        if (current.count == 0 || Long.compareUnsigned(current.timesMicros[0], timestampMicros) >= 0) {
            current = withHead();
        }
        int low = 0;
        int high = current.count;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(current.timesMicros[middle], timestampMicros) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low == 0 ? SegmentHeader.FIRST_FRAME_POSITION : current.positions[low - 1];
    }

    /** Fetches what is missing, so that the whole index is in memory. */
    public void complete() throws IOException {
        var unused = withHead();
    }

    /** Noted frames now in memory. */
    public int entries() {
        return view.count;
    }

    long offset(int entry) {
        return baseOffset + view.relativeOffsets[entry];
    }

    int position(int entry) {
        return view.positions[entry];
    }

    long timeMicros(int entry) {
        return view.timesMicros[entry];
    }

    private View withHead() throws IOException {
        if (head == null) {
            return view;
        }
        headLock.lock();
        try {
            Head missing = head;
            if (missing != null) {
                View loaded = missing.load().view;
                synchronized (this) {
                    view = view.after(loaded, loaded.countBefore(headEndPosition));
                }
                head = null;
            }
            return view;
        } finally {
            headLock.unlock();
        }
    }
}
