// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.StoreObserver.SyncReason;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Owns the syncs of one log: at most one at a time, each for everyone who waits when it begins; who comes later forms the next group.
 * <p>Threads: any number may wait and ask; syncs run on the threads of the {@link SyncPool}, and on the thread of a writer that is alone
 * where the disk is quick ({@link SyncOnCaller}).
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
    private final PlaceInQueues queued;
    private final LastAction last = new LastAction();
    private final AskedReasons asked = new AskedReasons();
    private final Gathering gathering = new Gathering();
    private final SyncOnCaller onCaller;

    private volatile long persistedEnd;
    private volatile @Nullable Throwable failure;

    /**
     * @param persistedEnd what is known to be on stable storage, exclusive
     */
    public SyncOwner(Syncable log, SyncPool pool, long persistedEnd) {
        this.log = log;
        this.pool = pool;
        this.queued = new PlaceInQueues(this, pool);
        this.onCaller = new SyncOnCaller(gathering, pool);
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
        boolean here;
        lock.lock();
        try {
            if (end <= persistedEnd) {
                return SyncOutcome.SYNCED;
            }
            if (failure != null || last.taken()) {
                return SyncOutcome.FAILED;
            }
            waiters.add(waiter);
            here = reason == SyncReason.ACK && isAlone() && onCaller.begins(deadline);
            if (here) {
                asked.add(reason);
                running = true;
            } else {
                schedule(reason);
            }
        } finally {
            lock.unlock();
        }
        if (here) {
            onCaller.run(this::syncAndEnd);
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

    private <T> T locked(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
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
        locked(() -> {
                    last.set(action);
                    return last.takeWhen(isIdle());
                })
                .run();
    }

    private boolean isIdle() {
        return !running && (failure != null || waiters.isEmpty());
    }

    private boolean isAlone() {
        return !running && !queued.urgently() && waiters.size() == 1;
    }

    private boolean isDue() {
        return !running && failure == null && !last.taken() && !(asked.none() && waiters.isEmpty());
    }

    /** For tests: how many wait and are not in the group that is being synced; whether no sync runs and none is asked for; whether the last was quick. */
    record Look(int waiting, boolean quiet, boolean quick) {}

    Look look() {
        return locked(() -> new Look(waiters.size(), !running && asked.none(), gathering.quick()));
    }

    /** Under the lock. */
    private void schedule(SyncReason reason) {
        if (failure != null || last.taken()) {
            return;
        }
        asked.add(reason);
        if (!running) {
            queued.enter(asked.urgent());
        }
    }

    /** One sync, if one is due. On a thread of the pool. */
    void run(boolean fromUrgentQueue) {
        boolean due;
        boolean crowd;
        Runnable now;
        lock.lock();
        try {
            queued.left(fromUrgentQueue);
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
            syncAndEnd();
        }
    }

    private void syncAndEnd() {
        syncFor();
        ended();
    }

    private void ended() {
        locked(() -> {
                    running = false;
                    Runnable now = last.takeWhen(isIdle());
                    if (isDue()) {
                        queued.enter(asked.urgent());
                    }
                    return now;
                })
                .run();
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
        boolean dirty = log.dirty();
        long start = System.nanoTime();
        try {
            // When it is not dirty, the sync before this one covered them: it began after their bytes were appended.
            long end = dirty ? log.sync() : persistedEnd;
            long nanos = System.nanoTime() - start;
            int released = publish(end, group, dirty);
            if (dirty) {
                gathering.synced(released, nanos);
                pool.synced(log.component(), reason, nanos, released, false);
                afterwards();
            }
        } catch (Throwable e) {
            List<SyncWaiter> others = fail(e);
            if (dirty) {
                pool.synced(log.component(), reason, System.nanoTime() - start, 0, true);
            }
            SyncWaiters.release(group, SyncOutcome.FAILED);
            SyncWaiters.release(others, SyncOutcome.FAILED);
        }
    }

    private void afterwards() {
        try {
            log.synced();
        } catch (Throwable e) {
            SyncWaiters.release(fail(e), SyncOutcome.FAILED);
        }
    }

    /**
     * Moves the end, and releases whoever is covered, of the group and of those who came while it was synced; the rest waits for the next
     * sync.
     *
     * @param askAgain whether to ask for one; without, somebody who waits for what was never appended would keep it busy
     * @throws IOException when something else fenced the log while the sync ran: its result is not to be trusted
     */
    private int publish(long end, List<SyncWaiter> group, boolean askAgain) throws IOException {
        List<SyncWaiter> covered;
        lock.lock();
        try {
            if (failure != null) {
                throw new IOException("fenced while it was synced", failure);
            }
            persistedEnd = Math.max(persistedEnd, end);
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
