// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.frame.FrameChain;
import org.jspecify.annotations.Nullable;

/**
 * A point between two frames of a log: where everything before it ends. Immutable, so that a reader or a sync gets offset, segment and
 * position that belong together from one volatile read.
 *
 * @param segment the segment that the point lies in, null when a refused log has none
 * @param writer takes frames at this point; null when the log takes none
 * @param position byte in the segment's file
 * @param bytes of all frames before the point that this process knows of; only differences mean something
 */
record Tail(@Nullable Segment segment, @Nullable SegmentWriter writer, long position, FrameChain chain, long bytes) {
    long endOffset() {
        return chain.endOffset();
    }

    /** The point after a frame that was written here. */
    Tail after(FrameChain newChain, int frameLength) {
        return new Tail(segment, writer, position + frameLength, newChain, bytes + frameLength);
    }

    /** The same point at the beginning of the next segment. */
    Tail in(Segment next, SegmentWriter nextWriter, long firstPosition) {
        return new Tail(next, nextWriter, firstPosition, chain, bytes);
    }
}
