// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The callers that wait for a sync and are not in the group that is being synced. Under the owner's lock. */
final class SyncWaiters {
    private ArrayDeque<SyncWaiter> waiting = new ArrayDeque<>(2);

    void add(SyncWaiter waiter) {
        waiting.add(waiter);
    }

    void remove(SyncWaiter waiter) {
        waiting.remove(waiter);
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    int size() {
        return waiting.size();
    }

    List<SyncWaiter> takeAll() {
        List<SyncWaiter> all = new ArrayList<>(waiting);
        waiting = new ArrayDeque<>(Math.max(2, all.size()));
        return all;
    }

    /** Takes those, of the group too, that wait for no more than {@code end}; the rest of the group waits on. */
    List<SyncWaiter> takeCovered(List<SyncWaiter> group, long end) {
        List<SyncWaiter> covered = new ArrayList<>(group.size());
        waiting.addAll(group);
        waiting.removeIf(waiter -> waiter.end() <= end && covered.add(waiter));
        return covered;
    }

    /** Without the lock. */
    static void release(List<SyncWaiter> released, SyncOutcome outcome) {
        released.forEach(waiter -> waiter.release(outcome));
    }
}
