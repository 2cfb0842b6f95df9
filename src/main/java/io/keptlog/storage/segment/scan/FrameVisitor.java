// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.scan;

import io.keptlog.storage.frame.FrameHeader;
import java.lang.foreign.MemorySegment;

/** Sees the frames of a scan, in the order of the file. */
@FunctionalInterface
public interface FrameVisitor {
    /**
     * @param position where the frame begins in its file
     * @param headerCrc the next frame's {@code previous}
     * @param bytes the frame's header, and its body too when the scan reads bodies; valid during the call
     */
    void frame(FrameHeader header, int headerCrc, long position, MemorySegment bytes);

    /** Passes over every frame. */
    FrameVisitor NONE = (header, headerCrc, position, bytes) -> {};
}
