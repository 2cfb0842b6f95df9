// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What recovery found and did (requirements D5). Ranges are exclusive at their end; −1 where a range does not apply.
 *
 * @param partition null when it concerns a journal or the data directory
 * @param incarnation of the partition, 0 when it is not known
 * @param found one of {@link Found}
 * @param action one of {@link Action}
 * @param acknowledgedPossible whether something acknowledged as persisted may be in the range
 * @param quarantineFile where the bytes are kept, relative to the data directory, or null
 * @param detail one sentence for people
 */
public record RecoveryReport(
        Instant time,
        @Nullable PartitionRef partition,
        long incarnation,
        Found found,
        Action action,
        long fromOffset,
        long toOffset,
        long fromPosition,
        long toPosition,
        boolean acknowledgedPossible,
        @Nullable String quarantineFile,
        String detail) {

    /** Whether something that was promised may be lost, or is out of reach until somebody acts. */
    public boolean needsAttention() {
        return acknowledgedPossible || action == Action.REFUSED;
    }

    /** What was wrong. */
    public enum Found {
        TORN_TAIL,
        INTERIOR_DAMAGE,
        MISSING_SEGMENT,
        MISSING_PARTITION,
        DAMAGED_INDEX,
        DAMAGED_CHECKPOINT,
        UNKNOWN_DIRECTORY,
        JOURNAL_TAIL,
        JOURNAL_DAMAGE,
        OFFSET_BEYOND_END,
        READ_ERROR,
        /** The snapshot of idempotent producers could not be used, and frames that it spoke of are deleted. */
        FORGOTTEN_PRODUCERS
    }

    /** What was done about it. */
    public enum Action {
        CUT,
        REFUSED,
        REBUILT,
        QUARANTINED,
        CLAMPED,
        REPAIRED,
        /** Nothing: it was only told. */
        REPORTED,
        READ_ONLY
    }
}
