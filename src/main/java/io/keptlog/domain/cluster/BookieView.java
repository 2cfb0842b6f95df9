// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A bookie as this broker knows it.
 *
 * @param writable whether it takes new ledgers
 * @param addMillis mean time from sending it an entry to its answer, of the last seconds, from this broker; null without adds
 * @param underReplicatedLedgers ledgers that BookKeeper has marked because their copies on this bookie are missing
 * @param decidesFor streams of this broker for which an acknowledgement usually waits for this bookie: the Qa-th to answer
 * @param rack where it is placed, when that is configured
 */
public record BookieView(
        String id,
        boolean writable,
        JournalSync journalSync,
        BookieSignals signals,
        @Nullable Double addMillis,
        long underReplicatedLedgers,
        List<Integer> decidesFor,
        @Nullable String rack) {
    /** Whether it is known to sync its journal before it answers. */
    public enum JournalSync {
        SYNCED,
        NOT_SYNCED,
        UNVERIFIED
    }

    public BookieView {
        decidesFor = List.copyOf(decidesFor);
    }

    /** One that nothing else is known of. */
    public BookieView(String id, boolean writable, JournalSync journalSync) {
        this(id, writable, journalSync, BookieSignals.of(BookieSignals.Status.UNKNOWN), null, 0, List.of(), null);
    }

    /** Whether it is registered. */
    public boolean alive() {
        return signals.status() != BookieSignals.Status.AWAY;
    }
}
