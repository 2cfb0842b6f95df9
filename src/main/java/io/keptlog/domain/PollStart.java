// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

/**
 * Where a poll begins (Iggy's polling strategies).
 *
 * @param value offset for OFFSET, microseconds since the epoch for TIMESTAMP, else unused; an unsigned 64-bit number
 */
public record PollStart(Kind kind, long value) {
    public enum Kind {
        OFFSET,
        TIMESTAMP,
        FIRST,
        LAST,
        NEXT
    }
}
