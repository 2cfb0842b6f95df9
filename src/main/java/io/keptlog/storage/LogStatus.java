// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.AtRisk;

/**
 * One consistent look at a log. Offsets; ends are exclusive; sizes in bytes.
 *
 * @param firstOffset first kept offset
 * @param endOffset everything appended ends here
 * @param visibleEnd readers of the topic's own visibility see up to here
 * @param persistedEnd everything before it is on stable storage
 * @param segments at least 1
 * @param sizeBytes frames in all segments, without space that is only allocated
 */
public record LogStatus(
        long firstOffset,
        long endOffset,
        long visibleEnd,
        long persistedEnd,
        long epoch,
        int segments,
        long sizeBytes,
        AtRisk atRisk,
        State state) {
    /** What the log takes. */
    public enum State {
        /** Reads and writes. */
        OPEN,
        /** A sync failed: reads of what was visible; writes after a restart that verifies it. */
        FENCED,
        /** Refused by recovery: readable up to the damage. */
        DAMAGED,
        /** The tail could not be put aside for want of space: readable, retried. */
        READ_ONLY,
        /** Shutting down or deleted. */
        CLOSED
    }

    public long messages() {
        return endOffset - firstOffset;
    }
}
