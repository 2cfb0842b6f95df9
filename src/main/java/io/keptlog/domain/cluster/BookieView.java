// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

/** A bookie as this broker knows it. */
public record BookieView(String id, boolean writable, JournalSync journalSync) {
    /** Whether it is known to sync its journal before it answers. */
    public enum JournalSync {
        SYNCED,
        NOT_SYNCED,
        UNVERIFIED
    }
}
