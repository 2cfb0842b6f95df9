// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.recovery;

import io.keptlog.storage.segment.format.SegmentSummary;
import io.keptlog.storage.segment.format.SparseIndex;
import java.nio.file.Path;

/**
 * One segment of a recovered partition.
 *
 * @param sealed never written again; only the last segment is not
 * @param index fetches from disk, or makes from the frames, what it does not hold when it is first needed
 */
public record RecoveredSegment(SegmentSummary summary, Path file, boolean sealed, SparseIndex index) {
    public long baseOffset() {
        return summary.baseOffset();
    }

    /** Exclusive. */
    public long endOffset() {
        return summary.endOffset();
    }

    /** Byte after the last frame. */
    public long endPosition() {
        return summary.endPosition();
    }
}
