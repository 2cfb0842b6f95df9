// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A recovery report as it is kept.
 *
 * @param id counts up in a data directory; never given twice
 * @param resolved when somebody said that it is dealt with, or null
 */
public record KeptReport(long id, RecoveryReport report, @Nullable Instant resolved) {
    /** Whether somebody should look at it. */
    public boolean isOpen() {
        return resolved == null && report.needsAttention();
    }
}
