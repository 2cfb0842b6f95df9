// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.StoreObserver.SyncReason;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Owns the syncs of one log: at most one at a time, each for everyone who waits when it begins; who comes later forms the next group.
 * <p>Threads: any number may wait and ask; syncs run on the threads of the {@link SyncPool}.
 * <p>A crash leaves nothing of it. What it reports as persisted was synced before.
 * <p>The first Throwable of a sync fences it for good: all waiters fail, the persisted end never moves again, no sync is made again (the
 * kernel reports a failed writeback once and then forgets it, so a second sync would prove nothing).
 * <p>Ends count as the log does; times in nanoseconds.
 */
public final class SyncOwner {
    private final Syncable log;
    private final SyncPool pool;
    private final ReentrantLock lock = new ReentrantLock();
    private final SyncWaiters waiters = new SyncWaiters();
    private boolean running;
    private boolean queuedUrgent;
    private boolean queuedInBackground;
    private final LastAction last = new LastAction();

    private final AskedReasons asked = new AskedReasons();
    private final Gathering gathering = new Gathering();

    private volatile long persistedEnd;
    private volatile @Nullable Throwable failure;

    /**
     * @param persistedEnd what is known to be on stable storage, exclusive
     */
    public SyncOwner(Syncable log, SyncPool pool, long persistedEnd) {
        this.log = log;
        this.pool = pool;
        this.persistedEnd = persistedEnd;
    }

    /** Everything before this is on stable storage. */
    public long persistedEnd() {
        return persistedEnd;
    }

    /** What fenced it, or null. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /**
     * Waits until everything before {@code end} is synced, and asks for it. An interrupt does not end the wait; the flag is restored.
     */
    public SyncOutcome await(long end, SyncReason reason, Deadline deadline) {
        if (end <= persistedEnd) {
            return SyncOutcome.SYNCED;
        }
        SyncWaiter waiter = new SyncWaiter(end, Thread.currentThread());
        lock.lock();
        try {
            if (end <= persistedEnd) {
                return SyncOutcome.SYNCED;
            }
            if (failure != null || last.taken()) {
                return SyncOutcome.FAILED;
            }
            waiters.add(waiter);
            schedule(reason);
        } finally {
            lock.unlock();
        }
        SyncOutcome outcome = waiter.park(deadline);
        return outcome == null ? giveUp(waiter) : outcome;
    }

    private SyncOutcome giveUp(SyncWaiter waiter) {
        lock.lock();
        try {
            waiters.remove(waiter);
        } finally {
            lock.unlock();
        }
        SyncOutcome outcome = waiter.outcome();
        return outcome == null ? SyncOutcome.TIMED_OUT : outcome;
    }

    /** Asks for a sync of everything appended so far, without waiting. */
    public void request(SyncReason reason) {
        if (asked.contains(reason)) {
            return;
        }
        lock.lock();
        try {
            schedule(reason);
        } finally {
            lock.unlock();
        }
    }

    /** Fences for a reason found elsewhere (a failed write, the preparer's sync): no acknowledgement any more. */
    public void fence(Throwable cause) {
        SyncWaiters.release(fail(cause), SyncOutcome.FAILED);
    }

    /**
     * Runs {@code action} once when no sync is running and nobody waits any more. Syncs that are waited for still happen, those that
     * were only asked for need not; none begins after the action has, and who comes later fails.
     */
    public void close(Runnable action) {
        Runnable now;
        lock.lock();
        try {
            last.set(action);
            now = last.takeWhen(isIdle());
        } finally {
            lock.unlock();
        }
        now.run();
    }

    private boolean isIdle() {
        return !running && (failure != null || waiters.isEmpty());
    }

    private boolean isDue() {
        return !running && failure == null && !last.taken() && !(asked.none() && waiters.isEmpty());
    }

    /** For tests: how many wait and are not in the group that is being synced; whether no sync runs and none is asked for. */
    record Look(int waiting, boolean quiet) {}

    Look look() {
        lock.lock();
        try {
            return new Look(waiters.size(), !running && asked.none());
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. */
    private void schedule(SyncReason reason) {
        if (failure != null || last.taken()) {
            return;
        }
        asked.add(reason);
        if (!running) {
            enqueue();
        }
    }

    private void enqueue() {
        if (asked.urgent()) {
            if (!queuedUrgent) {
                queuedUrgent = true;
                pool.submit(this, true);
            }
        } else if (!queuedUrgent && !queuedInBackground) {
            queuedInBackground = true;
            pool.submit(this, false);
        }
    }

    /** One sync, if one is due. On a thread of the pool. */
    void run(boolean fromUrgentQueue) {
        boolean due;
        boolean crowd;
        Runnable now;
        lock.lock();
        try {
            if (fromUrgentQueue) {
                queuedUrgent = false;
            } else {
                queuedInBackground = false;
            }
            now = last.takeWhen(isIdle());
            due = isDue();
            running |= due;
            crowd = asked.urgent();
        } finally {
            lock.unlock();
        }
        now.run();
        if (due) {
            if (crowd) {
                gathering.pause();
            }
            syncFor();
            ended();
        }
    }

    private void ended() {
        Runnable now;
        lock.lock();
        try {
            running = false;
            now = last.takeWhen(isIdle());
            if (isDue()) {
                enqueue();
            }
        } finally {
            lock.unlock();
        }
        now.run();
    }

    private void syncFor() {
        List<SyncWaiter> group;
        SyncReason reason;
        lock.lock();
        try {
            group = waiters.takeAll();
            reason = asked.take();
        } finally {
            lock.unlock();
        }
        if (!log.dirty()) {
            // The sync before this one covered them: it began after their bytes were appended.
            int unused = releaseCovered(group, false);
            return;
        }
        long start = System.nanoTime();
        try {
            long end = log.sync();
            long nanos = System.nanoTime() - start;
            if (!publish(end)) {
                throw new IOException("fenced while it was synced", failure);
            }
            int released = releaseCovered(group, true);
            gathering.synced(released, nanos);
            pool.synced(log.component(), reason, nanos, released, false);
        } catch (Throwable e) {
            List<SyncWaiter> others = fail(e);
            pool.synced(log.component(), reason, System.nanoTime() - start, 0, true);
            SyncWaiters.release(group, SyncOutcome.FAILED);
            SyncWaiters.release(others, SyncOutcome.FAILED);
            return;
        }
        try {
            log.synced();
        } catch (Throwable e) {
            SyncWaiters.release(fail(e), SyncOutcome.FAILED);
        }
    }

    /** @return false when something else fenced the log while the sync ran: its result is not to be trusted */
    private boolean publish(long end) {
        lock.lock();
        try {
            if (failure != null) {
                return false;
            }
            persistedEnd = Math.max(persistedEnd, end);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Releases whoever is covered, of the group and of those who came while it was synced; the rest waits for the next sync.
     *
     * @param askAgain whether to ask for one; without, somebody who waits for what was never appended would keep it busy
     */
    private int releaseCovered(List<SyncWaiter> group, boolean askAgain) {
        List<SyncWaiter> covered;
        lock.lock();
        try {
            covered = waiters.takeCovered(group, persistedEnd);
            if (askAgain && !waiters.isEmpty()) {
                asked.add(SyncReason.ACK);
            }
        } finally {
            lock.unlock();
        }
        SyncWaiters.release(covered, SyncOutcome.SYNCED);
        return covered.size();
    }

    private List<SyncWaiter> fail(Throwable cause) {
        boolean first;
        List<SyncWaiter> all;
        lock.lock();
        try {
            first = failure == null;
            failure = first ? cause : failure;
            all = waiters.takeAll();
        } finally {
            lock.unlock();
        }
        if (first && log.fenced(cause)) {
            pool.fenced(log.component(), cause);
        }
        return all;
    }
}
