// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.producer;

/**
 * Consecutive sequence numbers of a producer and where their messages lie. Either exactly (the range of offsets is as long as the run) or
 * roughly: somewhere in the range, in order, with messages of others between them. Sequences are unsigned.
 *
 * @param nextSequence exclusive
 * @param endOffset exclusive
 * @param epoch boot number of the server that wrote the last message
 */
public record StoredRun(long firstSequence, long nextSequence, long baseOffset, long endOffset, long epoch) {
    public StoredRun {
        if (!sound(firstSequence, nextSequence, baseOffset, endOffset)) {
            throw new IllegalArgumentException("sequences " + Long.toUnsignedString(firstSequence) + " to "
                    + Long.toUnsignedString(nextSequence) + " at offsets " + baseOffset + " to " + endOffset);
        }
    }

    static boolean sound(long firstSequence, long nextSequence, long baseOffset, long endOffset) {
        return Long.compareUnsigned(firstSequence, nextSequence) < 0
                && baseOffset >= 0
                && endOffset > baseOffset
                && Long.compareUnsigned(endOffset - baseOffset, nextSequence - firstSequence) >= 0;
    }

    private boolean exact() {
        return endOffset - baseOffset == nextSequence - firstSequence;
    }

    /** Offset of this message, or the lowest that it can have. */
    long baseOf(long sequence) {
        return exact() ? baseOffset + (sequence - firstSequence) : baseOffset;
    }

    /** Offset after this message, or the highest that it can be. */
    long endOf(long sequence) {
        return exact() ? baseOffset + (sequence - firstSequence) + 1 : endOffset;
    }

    /** Whether the next run continues this one in the log as well, so that both are one. */
    boolean adjoins(StoredRun next) {
        return exact() && endOffset == next.baseOffset && epoch == next.epoch;
    }

    /** Both as one; exact only when they adjoin. */
    StoredRun and(StoredRun next) {
        return new StoredRun(firstSequence, next.nextSequence, baseOffset, next.endOffset, next.epoch);
    }
}
