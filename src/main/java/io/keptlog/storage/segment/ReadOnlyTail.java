// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.KeptlogException;
import io.keptlog.storage.SyncTarget;

/** The end of a log that takes no appends: it never moves, so nothing beyond it can be waited for. */
record ReadOnlyTail(LogState state) implements SyncTarget {
    @Override
    public Evidence awaitReplicated(long end, Deadline deadline) {
        requireWithin(end);
        return Evidence.IN_PAGE_CACHE;
    }

    @Override
    public Evidence awaitPersisted(long end, Deadline deadline) {
        // Recovery could not make it appendable, so nothing in it is known to be on stable storage.
        throw new KeptlogException(
                ErrorCode.PARTITION_FENCED,
                "Partition " + state.spec().ref() + " takes no writes: "
                        + state.condition().reason());
    }

    private void requireWithin(long end) {
        if (end > state.tail().endOffset()) {
            throw new IllegalArgumentException(
                    "end " + end + " of a log that ends at " + state.tail().endOffset());
        }
    }

    @Override
    public void kick() {
        // Nothing was appended.
    }

    @Override
    public long persistedEnd() {
        return state.synced().endOffset();
    }
}
