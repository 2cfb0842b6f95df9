// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import io.keptlog.domain.Deadline;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One caller that waits for a sync: parked by itself, released once by the owner. */
final class SyncWaiter {
    private final long end;
    private final Thread thread;
    private volatile @Nullable SyncOutcome outcome;

    SyncWaiter(long end, Thread thread) {
        this.end = end;
        this.thread = thread;
    }

    /** What must be synced before it is released, exclusive. */
    long end() {
        return end;
    }

    @Nullable
    SyncOutcome outcome() {
        return outcome;
    }

    /** The first outcome counts. */
    void release(SyncOutcome how) {
        if (outcome == null) {
            outcome = how;
            LockSupport.unpark(thread);
        }
    }

    /** @return how it was released, or null when the deadline passed first; an interrupt ends nothing and stays set */
    @Nullable
    SyncOutcome park(Deadline deadline) {
        boolean interrupted = false;
        try {
            while (true) {
                SyncOutcome how = outcome;
                if (how != null) {
                    return how;
                }
                long left = deadline.remainingNanos();
                if (left == 0) {
                    return null;
                }
                LockSupport.parkNanos(this, left);
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
