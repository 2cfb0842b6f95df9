// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Evidence;
import io.keptlog.storage.SyncTarget;

/** The end of a journal as something that can be waited for; ends are record numbers. */
final class JournalTail implements SyncTarget {
    private final Journal journal;

    JournalTail(Journal journal) {
        this.journal = journal;
    }

    /** The bytes were with the operating system when the append returned. */
    @Override
    public Evidence awaitReplicated(long end, Deadline deadline) {
        return Evidence.IN_PAGE_CACHE;
    }

    @Override
    public Evidence awaitPersisted(long end, Deadline deadline) {
        journal.awaitPersisted(end, deadline);
        return Evidence.ON_STABLE_STORAGE;
    }

    @Override
    public void kick() {
        journal.kick();
    }

    @Override
    public long persistedEnd() {
        return journal.persistedEnd();
    }
}
