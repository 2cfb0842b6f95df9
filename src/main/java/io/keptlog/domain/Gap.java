// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.util.Locale;

/**
 * A poll's start, or a reader's memory, points at offsets that are no longer there.
 *
 * @param fromOffset first missing offset
 * @param toOffset exclusive end of what is missing: reading goes on here
 */
public record Gap(long fromOffset, long toOffset, Reason reason) {
    /** Why the offsets are missing. */
    public enum Reason {
        RETENTION,
        DELETION,
        RECOVERY,
        DAMAGE;

        public String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
