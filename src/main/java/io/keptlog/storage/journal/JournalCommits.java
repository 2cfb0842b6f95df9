// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who waits for a journal's syncs, and for what. Guarded by the journal's lock. A wait that is interrupted goes on to its deadline and
 * keeps the flag. Ends are record numbers, exclusive.
 */
final class JournalCommits {
    private final ReentrantLock lock;
    private final Condition work;
    private final Condition settled;
    private final String component;
    private final ErrorCode timedOut;
    private long persisted;
    private long wanted;
    /** Requests to sync whatever was written, and those that were served. */
    private long flushRequests;

    private long flushesDone;
    private int waiting;
    private @Nullable String fence;

    /**
     * @param work signalled when there is something for the sync owner
     */
    JournalCommits(ReentrantLock lock, Condition work, String component, ErrorCode timedOut) {
        this.lock = lock;
        this.work = work;
        this.settled = lock.newCondition();
        this.component = component;
        this.timedOut = timedOut;
    }

    /** Waits until everything before {@code end} is on stable storage. */
    void awaitPersisted(long end, Deadline deadline) {
        await(() -> persisted >= end, () -> want(end), deadline);
    }

    /** Waits for a sync that begins after this call. */
    void awaitFlush(Deadline deadline) {
        long[] ticket = new long[1];
        await(() -> ticket[0] > 0 && flushesDone >= ticket[0], () -> ticket[0] = ++flushRequests, deadline);
    }

    private void await(BooleanSupplier done, Runnable request, Deadline deadline) {
        boolean interrupted = false;
        boolean requested = false;
        lock.lock();
        waiting++;
        try {
            while (!done.getAsBoolean()) {
                if (fence != null) {
                    throw new KeptlogException(
                            ErrorCode.SYNC_FAILED, "the " + component + " could not be synced; it may be stored");
                }
                if (!requested) {
                    request.run();
                    work.signal();
                    requested = true;
                }
                if (deadline.passed()) {
                    throw new KeptlogException(timedOut, "not on stable storage in time; it may be stored");
                }
                try {
                    long ignored = settled.awaitNanos(deadline.remainingNanos());
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            waiting--;
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void want(long end) {
        wanted = Math.max(wanted, end);
    }

    boolean settledAll() {
        return persisted >= wanted && flushesDone >= flushRequests;
    }

    /** A sync covered so much. */
    void settle(long records, long flushes) {
        persisted = Math.max(persisted, records);
        flushesDone = Math.max(flushesDone, flushes);
        settled.signalAll();
    }

    /** Everybody who waits, now or later, is told that it may be stored. */
    void fence(String reason) {
        fence = fence == null ? reason : fence;
        settled.signalAll();
        work.signal();
    }

    @Nullable
    String fence() {
        return fence;
    }

    long persisted() {
        return persisted;
    }

    long flushRequests() {
        return flushRequests;
    }

    int waiting() {
        return waiting;
    }
}
