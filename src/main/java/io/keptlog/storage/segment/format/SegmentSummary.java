// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.format;

import io.keptlog.storage.frame.FrameChain;

/**
 * What is known of a segment without reading its frames; kept in its index file.
 *
 * @param endPosition byte after the last frame
 * @param firstAppendTimeMicros append time of the first frame, 0 when there is none
 * @param end the point after the last frame
 */
public record SegmentSummary(long baseOffset, long endPosition, long firstAppendTimeMicros, FrameChain end) {
    public SegmentSummary {
        if (!sound(baseOffset, endPosition, end.endOffset())) {
            throw new IllegalArgumentException(
                    "segment " + baseOffset + " to " + end.endOffset() + ", position " + endPosition);
        }
    }

    static boolean sound(long baseOffset, long endPosition, long endOffset) {
        return baseOffset >= 0
                && endPosition >= SegmentHeader.FIRST_FRAME_POSITION
                && endOffset >= baseOffset
                && (endPosition == SegmentHeader.FIRST_FRAME_POSITION) == (endOffset == baseOffset);
    }

    public long endOffset() {
        return end.endOffset();
    }

    public long lastAppendTimeMicros() {
        return end.lastAppendTimeMicros();
    }
}
