// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment.scan;

import io.keptlog.storage.frame.FrameChain;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Where a scan of chained frames came to, and why it went no further.
 *
 * @param position byte after the last good frame
 * @param end the point after the last good frame
 * @param error set when the stop is READ_ERROR
 */
public record ScanEnd(long position, FrameChain end, Stop stop, @Nullable IOException error) {
    /** What lies at the position. */
    public enum Stop {
        /** The file ends, or has not room for a header. */
        END_OF_FILE,
        /** A header's worth of zeros: nothing was written here, or it did not reach the disk. */
        ZEROS,
        /** No frame's header of this life and place. */
        NO_HEADER,
        /** A header, but the file ends before its body does. */
        TRUNCATED,
        /** A header, but its body is not what was written. */
        BAD_BODY,
        /** A good frame that followed another one: left from before a cut. */
        NOT_CHAINED,
        /** A good, chained frame with offsets that do not continue. */
        OFFSET_GAP,
        /** A good, chained frame of an older epoch. */
        EPOCH_WENT_BACK,
        /** The disk refused to read. */
        READ_ERROR
    }
}
