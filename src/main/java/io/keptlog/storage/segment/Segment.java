// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.format.SparseIndex;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One segment as readers see it: where its frames lie, its index, its mapping. Any thread; sealed once, by the appender. How far an
 * unsealed segment reaches is in the {@link Tail}.
 */
final class Segment {
    private final long baseOffset;
    private final Path file;
    private final SparseIndex index;
    private final MappedSegment mapped;
    private volatile long firstAppendTimeMicros;
    private volatile @Nullable SegmentSummary sealed;

    Segment(
            long baseOffset,
            Path file,
            SparseIndex index,
            MappedSegment mapped,
            long firstAppendTimeMicros,
            @Nullable SegmentSummary sealed) {
        this.baseOffset = baseOffset;
        this.file = file;
        this.index = index;
        this.mapped = mapped;
        this.firstAppendTimeMicros = firstAppendTimeMicros;
        this.sealed = sealed;
    }

    long baseOffset() {
        return baseOffset;
    }

    Path file() {
        return file;
    }

    SparseIndex index() {
        return index;
    }

    MappedSegment mapped() {
        return mapped;
    }

    /** Append time of the first frame, 0 when there is none. */
    long firstAppendTimeMicros() {
        return firstAppendTimeMicros;
    }

    /** What it holds in the end, or null while it takes frames. */
    @Nullable
    SegmentSummary sealed() {
        return sealed;
    }

    /** Under the appender's lock, before the tail shows the frame. */
    void noted(long frameBaseOffset, long position, long appendTimeMicros) {
        if (position == SegmentHeader.FIRST_FRAME_POSITION) {
            firstAppendTimeMicros = appendTimeMicros;
        }
        index.note(frameBaseOffset, position, appendTimeMicros);
    }

    /** Under the appender's lock, before the tail shows the next segment. */
    void seal(Tail last) {
        sealed = new SegmentSummary(baseOffset, last.position(), firstAppendTimeMicros, last.chain());
    }
}
