// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.KeptReport;
import io.keptlog.domain.RecoveryReport;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What recovery found and did, kept across restarts (requirements D5). */
public interface RecoveryReports {
    /** On stable storage when this returns. Recovery calls it before it changes anything. */
    void add(RecoveryReport report);

    /** Oldest first. */
    List<RecoveryReport> list();

    /** The same with their numbers, and which are resolved. Where reports cannot be resolved, they are numbered as they come. */
    default List<KeptReport> kept() {
        List<RecoveryReport> all = list();
        return java.util.stream.IntStream.range(0, all.size())
                .mapToObj(i -> new KeptReport(i, all.get(i), null))
                .toList();
    }

    /**
     * Remembers, on stable storage when it returns, that a report is dealt with. Repeatable: the first time counts.
     *
     * @return the report as it is now, or null when none has this number
     */
    default @Nullable KeptReport resolve(long id, Instant time) {
        return null;
    }
}
