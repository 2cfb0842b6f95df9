// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.format;

import java.nio.file.Path;
import java.util.List;

/**
 * What the directories of a journal hold.
 *
 * @param condition how whole it is
 * @param earlier all frames of the newest generation whose snapshot is whole, when that is not the newest of all; else empty
 * @param frames the newest generation's frames from its beginning without a gap, from whichever copy has each
 * @param beyond further valid frames behind the gap, in order
 * @param highest largest generation number of any file, also of files put aside; −1 when there is none
 * @param keep generation to keep as the previous one; −1 when there is none
 * @param badFiles files that are damaged or cannot be read
 * @param fromPosition where the valid part of the newest generation ends
 * @param toPosition where its bytes that are not zero end
 * @param detail one sentence, empty when all is well
 */
public record LoadedJournal(
        Condition condition,
        List<Frame> earlier,
        List<Frame> frames,
        List<Frame> beyond,
        long highest,
        long keep,
        List<Path> badFiles,
        long fromPosition,
        long toPosition,
        String detail) {
    /** From well to worst. */
    public enum Condition {
        /** No file at all. */
        EMPTY,
        CLEAN,
        /** The last write was cut off; nothing else is missing. */
        TORN,
        /** A copy is damaged or gone, the other has everything. */
        ONE_COPY_BAD,
        /** Something that was on stable storage is missing, or cannot be told from it. */
        DAMAGED
    }
}
