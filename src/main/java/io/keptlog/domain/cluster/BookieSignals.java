// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a bookie's own metrics say, as they were read last. Everything but {@code status} is missing when they could not be read, and what is
 * null was not among them.
 *
 * @param journalSyncMillis quantile (as the bookie names it, as in "0.99") → time of a journal's sync
 * @param underReplicated ledgers that the auditor, where it runs beside this bookie, found with too few copies in its last run
 */
public record BookieSignals(
        Status status,
        Map<String, Double> journalSyncMillis,
        @Nullable Long forceWriteQueue,
        @Nullable Long addsInProgress,
        @Nullable Long underReplicated) {
    /** What it is about. */
    public enum Status {
        /** It takes entries. */
        UP,
        /** It only reads. */
        READ_ONLY,
        /** It says that it is neither. */
        DOWN,
        /** It is registered and its metrics cannot be read. */
        NO_ANSWER,
        /** It was not asked yet. */
        UNKNOWN,
        /** It is not registered, and ledgers have copies there. */
        AWAY
    }

    public BookieSignals {
        journalSyncMillis = Map.copyOf(journalSyncMillis);
    }

    public static BookieSignals of(Status status) {
        return new BookieSignals(status, Map.of(), null, null, null);
    }
}
