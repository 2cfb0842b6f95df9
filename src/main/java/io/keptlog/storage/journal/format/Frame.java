// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal.format;

import org.jspecify.annotations.Nullable;

/**
 * One valid frame as it was read.
 *
 * @param index in its file, from 0
 * @param stable frames that were known to be on stable storage when it was written
 */
public record Frame(Kind kind, long index, long stable, byte[] payload) {
    /** What a frame is for. */
    public enum Kind {
        SNAPSHOT(1),
        SNAPSHOT_END(2),
        RECORD(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        /** As it is written. */
        int number() {
            return number;
        }

        static @Nullable Kind of(int number) {
            for (Kind kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            return null;
        }
    }
}
