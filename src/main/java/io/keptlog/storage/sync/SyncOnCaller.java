// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Limits;

/**
 * A sync on the thread of a writer that is alone. Two hand-overs between threads cost more than half of what a quick sync does. Only
 * after a sync that was quick and released no crowd, and one at a time in a pool: a disk that stalls then holds one caller, and one
 * carrier of virtual threads, beyond its deadline, and never more.
 */
final class SyncOnCaller {
    private final Gathering gathering;
    private final SyncPool pool;

    SyncOnCaller(Gathering gathering, SyncPool pool) {
        this.gathering = gathering;
        this.pool = pool;
    }

    /** Whether the caller may; it then calls {@link #run}. Never one with a deadline so near that a short stall would break it. */
    boolean begins(Deadline deadline) {
        return gathering.quick()
                && deadline.remainingNanos() >= Limits.SYNC_ON_CALLER_DEADLINE_NANOS
                && pool.beginsOnCaller();
    }

    /** No call of a file ends for an interrupt; what looks at the flag does not see it. */
    void run(Runnable sync) {
        boolean interrupted = Thread.interrupted();
        try {
            sync.run();
        } finally {
            pool.endedOnCaller();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
