// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.format;

import java.nio.file.Path;
import java.util.List;

/**
 * One journal file as it was found.
 *
 * @param frames the valid frames from the beginning, without a gap
 * @param beyond valid frames behind the first place that is not valid
 * @param evidence so many frames were on stable storage once: from slots and from every valid frame
 * @param endPosition after the last of {@code frames}
 * @param usedPosition after the last byte that is not zero
 */
public record ScannedFile(
        Path path,
        long generation,
        Verdict verdict,
        List<Frame> frames,
        List<Frame> beyond,
        long evidence,
        long endPosition,
        long usedPosition,
        String detail) {
    /** What the file's end looks like. */
    public enum Verdict {
        /** Zeros after the last frame. */
        CLEAN,
        /** A write that was cut off: some of its sectors are still zero. */
        TORN,
        /** Bytes that were written and are wrong, or less than was on stable storage. */
        DAMAGED,
        /** Not even the header can be read. */
        UNREADABLE
    }

    boolean bad() {
        return verdict == Verdict.DAMAGED || verdict == Verdict.UNREADABLE;
    }
}
