// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.check;

import io.keptlog.domain.RecoveryReport.Found;
import org.jspecify.annotations.Nullable;

/**
 * One thing that a verification found. Ranges are exclusive at their end; −1 where a range does not apply.
 *
 * @param component for example {@code partition 0/1/2}, {@code catalog journal}
 * @param file relative to the data directory, or null
 * @param detail one sentence for people
 */
public record Finding(
        Severity severity,
        String component,
        Found found,
        @Nullable String file,
        long fromOffset,
        long toOffset,
        long fromPosition,
        long toPosition,
        String detail) {
    /** How bad it is. */
    public enum Severity {
        /** Something that was whole once is not any more. */
        DAMAGE,
        /** What a crash leaves; the next start puts it right. */
        CRASH,
        /** Worth knowing. */
        NOTE
    }

    static Finding of(Severity severity, String component, Found found, @Nullable String file, String detail) {
        return new Finding(severity, component, found, file, -1, -1, -1, -1, detail);
    }
}
