// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.StoreObserver;
import io.keptlog.storage.RecoveryReports;
import io.keptlog.storage.file.DataDirectory;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;

/** Journals that are rewritten after a few records. */
public final class SmallJournals {
    private static final long CATALOG_COMPACT_BYTES = 3_000;
    private static final long OFFSETS_COMPACT_BYTES = 400;

    private final JournalEnvironment environment;

    public SmallJournals(ThreadFactory threads, InstantSource clock) {
        this.environment = new JournalEnvironment(threads, clock, StoreObserver.NONE);
    }

    public JournalReports reports(DataDirectory data) {
        return JournalReports.open(data, environment);
    }

    public JournalCatalog catalog(DataDirectory data, RecoveryReports reports) {
        return JournalCatalog.open(
                data, reports, environment, JournalCatalog.settings(data).withCompactBytes(CATALOG_COMPACT_BYTES));
    }

    public JournalOffsetStore offsets(DataDirectory data, RecoveryReports reports, long flushAgeMillis) {
        return JournalOffsetStore.open(
                data,
                reports,
                environment,
                JournalOffsetStore.settings(data)
                        .withCompactBytes(OFFSETS_COMPACT_BYTES)
                        .withFlushAgeMillis(flushAgeMillis));
    }
}
