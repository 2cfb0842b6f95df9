// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

/**
 * Where an owner stands in the queues of its pool: at most once in each, and not in that of the background while it is in the urgent
 * one. Under the owner's lock.
 */
final class PlaceInQueues {
    private final SyncOwner owner;
    private final SyncPool pool;
    private boolean urgently;
    private boolean inBackground;

    PlaceInQueues(SyncOwner owner, SyncPool pool) {
        this.owner = owner;
        this.pool = pool;
    }

    boolean urgently() {
        return urgently;
    }

    void enter(boolean urgent) {
        if (urgently || (inBackground && !urgent)) {
            return;
        }
        if (urgent) {
            urgently = true;
        } else {
            inBackground = true;
        }
        pool.submit(owner, urgent);
    }

    /** A thread of the pool has taken the owner out of that queue. */
    void left(boolean urgent) {
        if (urgent) {
            urgently = false;
        } else {
            inBackground = false;
        }
    }
}
