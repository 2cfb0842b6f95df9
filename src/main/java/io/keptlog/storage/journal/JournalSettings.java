// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Limits;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.ReserveFile;
import java.nio.file.Path;
import java.util.List;

/**
 * One journal's own settings.
 *
 * @param component its name for health, logs and meters
 * @param directories one, or two that mirror each other
 * @param reserve space for rewriting on a full disk
 * @param fenced what a write is answered with after a failed sync
 * @param timedOut what a wait is answered with at its deadline
 * @param flushAgeMillis unsynced records are synced when they are so old
 * @param compactBytes the journal is rewritten when its records since the snapshot take more than this and than the snapshot
 */
record JournalSettings(
        String component,
        FileLayer files,
        List<Path> directories,
        ReserveFile reserve,
        ErrorCode fenced,
        ErrorCode timedOut,
        long flushAgeMillis,
        long compactBytes) {
    JournalSettings(
            String component,
            FileLayer files,
            List<Path> directories,
            ReserveFile reserve,
            ErrorCode fenced,
            ErrorCode timedOut) {
        this(
                component,
                files,
                directories,
                reserve,
                fenced,
                timedOut,
                Limits.FLUSH_AGE_DEFAULT_MILLIS,
                Limits.JOURNAL_COMPACT_BYTES);
    }

    JournalSettings withFlushAgeMillis(long millis) {
        return new JournalSettings(component, files, directories, reserve, fenced, timedOut, millis, compactBytes);
    }

    JournalSettings withCompactBytes(long bytes) {
        return new JournalSettings(component, files, directories, reserve, fenced, timedOut, flushAgeMillis, bytes);
    }
}
