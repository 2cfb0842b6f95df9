// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.StoreObserver.SyncReason;
import io.keptlog.storage.SyncTarget;

/**
 * The end of one log, for those who wait for its durability. Any thread. An appended frame is with the operating system, which is what
 * replicated asks of one node; persisted waits for the sync owner.
 */
record LogTail(LogState state, LogWriting writing) implements SyncTarget {
    @Override
    public Evidence awaitReplicated(long end, Deadline deadline) {
        return Evidence.IN_PAGE_CACHE;
    }

    @Override
    public Evidence awaitPersisted(long end, Deadline deadline) {
        state.wantZeroAhead();
        return switch (writing.owner().await(end, SyncReason.ACK, deadline)) {
            case SYNCED -> Evidence.ON_STABLE_STORAGE;
            case FAILED -> throw new KeptlogException(
                    ErrorCode.SYNC_FAILED,
                    "The sync of partition " + state.spec().ref()
                            + " failed: the messages may be stored or lost; a restart of the server finds out.");
            case TIMED_OUT -> throw new KeptlogException(
                    ErrorCode.PRODUCE_TIMEOUT,
                    "The disk did not confirm in time: the messages are in the log of partition "
                            + state.spec().ref() + ", whether they survive a power cut is not known.");
        };
    }

    @Override
    public void kick() {
        if (state.dirty()) {
            writing.owner().request(SyncReason.ACK);
        }
    }

    @Override
    public long persistedEnd() {
        return state.synced().endOffset();
    }
}
