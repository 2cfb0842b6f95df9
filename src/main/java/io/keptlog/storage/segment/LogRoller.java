// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.LogOptions;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SparseIndex;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Makes a prepared file the active segment. Header and name are in place before its first frame, so that a killed process leaves no frame
 * in a file without a name; both are synced by the sync owner, before the first persisted acknowledgement in it.
 * <p>{@link #install} by one thread at a time and without a lock, {@link #swap} under the appender's lock.
 */
final class LogRoller {
    private final LogState state;
    private final StoreParts parts;
    /** Writers of sealed segments that are still to be synced, oldest first. */
    private final ConcurrentLinkedQueue<Tail> sealedUnsynced = new ConcurrentLinkedQueue<>();

    LogRoller(LogState state, StoreParts parts) {
        this.state = state;
        this.parts = parts;
    }

    /** Byte at which a segment of this log is full. */
    static long limit(LogOptions options) {
        return SegmentHeader.FIRST_FRAME_POSITION + options.segmentSizeBytes();
    }

    /**
     * Gives the file its header and its name.
     *
     * @throws IOException the file keeps its temporary name, or its name is not known; nothing was appended to it
     */
    Segment install(PreparedSegment next, long baseOffset) throws IOException {
        Path path = state.paths().log(baseOffset);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(SegmentHeader.BYTES);
            new SegmentHeader(state.spec().ref(), state.spec().incarnation(), baseOffset, parts.nowMicros())
                    .write(block);
            next.file().write(block, 0);
        }
        state.inPlace(() -> parts.files().rename(next.path(), path));
        next.space().renamed(path);
        MappedSegment mapped = new MappedSegment(parts.files(), path, parts.mappings());
        return new Segment(baseOffset, path, new SparseIndex(baseOffset), mapped, 0, null);
    }

    void swap(Tail last, Segment segment, PreparedSegment next) {
        SegmentWriter writer =
                new SegmentWriter(next.file(), next.space(), limit(state.spec().options()), false);
        java.util.Objects.requireNonNull(last.segment()).seal(last);
        sealedUnsynced.add(last);
        state.segments(state.segments().plus(segment));
        state.tail(last.in(segment, writer, SegmentHeader.FIRST_FRAME_POSITION));
    }

    /** The oldest sealed end that is not synced, or null. For the sync owner. */
    @Nullable
    Tail firstUnsynced() {
        return sealedUnsynced.peek();
    }

    void firstIsSynced() {
        sealedUnsynced.remove();
    }
}
