// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.journal;

import io.keptlog.domain.Limits;
import io.keptlog.domain.StoreObserver.SyncReason;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.journal.format.Generation;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only thread that syncs a running journal: for everybody who waits at once, by age, at the end, and to take over a rewritten
 * generation. Any Throwable of a sync fences the journal before another sync can begin.
 */
final class JournalSyncOwner implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(JournalSyncOwner.class);
    private static final long CHECKPOINT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How often the reserve is looked after. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Journal journal;
    private long lastCheckpointNanos = System.nanoTime() - CHECKPOINT_NANOS;
    private long rewriteNotBeforeNanos = System.nanoTime();

    private enum Step {
        SYNC,
        TAKE_OVER,
        IDLE,
        STOP
    }

    JournalSyncOwner(Journal journal) {
        this.journal = journal;
    }

    @Override
    public void run() {
        try {
            Step step = next();
            while (step != Step.STOP) {
                switch (step) {
                    case SYNC -> sync();
                    case TAKE_OVER -> takeOver();
                    default -> restoreReserve();
                }
                step = next();
            }
        } catch (RuntimeException | Error e) {
            journal.fence("its sync owner ended: " + e.getMessage(), e);
        }
    }

    private Step next() {
        journal.lock.lock();
        try {
            while (true) {
                Step due = due();
                if (due != null) {
                    return due;
                }
                long wait = waitNanos();
                if (journal.work.awaitNanos(wait) <= 0 && wait == IDLE_NANOS) {
                    return Step.IDLE;
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("the sync owner was interrupted", e);
        } finally {
            journal.lock.unlock();
        }
    }

    private boolean canSync() {
        return journal.active != null && !journal.isFenced();
    }

    private @Nullable Step due() {
        JournalRewrite rewrite = journal.rewrite;
        if (rewrite != null && rewrite.ended()) {
            return Step.TAKE_OVER;
        }
        boolean old = journal.dirtySinceNanos != 0 && (journal.closed || dueInNanos() <= 0);
        if (canSync() && (old || !journal.commits.settledAll())) {
            return Step.SYNC;
        }
        return journal.closed && rewrite == null ? Step.STOP : null;
    }

    /** Until the oldest write that is not synced must be. */
    private long dueInNanos() {
        return journal.dirtySinceNanos
                + TimeUnit.MILLISECONDS.toNanos(journal.settings.flushAgeMillis())
                - System.nanoTime();
    }

    private long waitNanos() {
        return canSync() && journal.dirtySinceNanos != 0 ? Math.max(1, dueInNanos()) : IDLE_NANOS;
    }

    /** What a sync that begins now will cover. */
    private record Cover(
            Generation generation, Generation.Mark mark, long records, long flushes, int waiting, long nanos) {}

    private Cover cover(Generation generation) {
        return new Cover(
                generation,
                generation.written(),
                journal.appended,
                journal.commits.flushRequests(),
                journal.commits.waiting(),
                System.nanoTime());
    }

    private void sync() {
        Cover cover;
        journal.lock.lock();
        try {
            cover = cover(java.util.Objects.requireNonNull(journal.active, "active"));
        } finally {
            journal.lock.unlock();
        }
        if (!synced(cover)) {
            return;
        }
        journal.lock.lock();
        try {
            covered(cover);
            prepareNext(cover.generation);
        } finally {
            journal.lock.unlock();
        }
    }

    private boolean synced(Cover cover) {
        try {
            cover.generation.sync();
            observe(cover, false);
            return true;
        } catch (IOException | RuntimeException | Error e) {
            journal.fence("a sync failed: " + e.getMessage(), e);
            observe(cover, true);
            return false;
        }
    }

    private void observe(Cover cover, boolean failed) {
        journal.environment
                .observer()
                .synced(SyncReason.JOURNAL, System.nanoTime() - cover.nanos, cover.waiting, failed);
    }

    private void covered(Cover cover) {
        cover.generation.markStable(cover.mark);
        journal.dirtySinceNanos = 0;
        if (journal.appended > cover.records || journal.commits.flushRequests() > cover.flushes) {
            journal.becomeDirty(cover.nanos);
        }
        journal.commits.settle(cover.records, cover.flushes);
    }

    /** Evidence, room for the next records, and a rewrite when the journal has grown; all under the lock and short. */
    private void prepareNext(Generation generation) {
        long now = System.nanoTime();
        try {
            if (now - lastCheckpointNanos >= CHECKPOINT_NANOS && generation.writeCheckpoint()) {
                lastCheckpointNanos = now;
                journal.becomeDirty(now);
            }
            generation.makeRoomAhead();
        } catch (NoSpaceException e) {
            journal.environment.observer().noSpace();
        } catch (IOException e) {
            journal.fence("a write failed: " + e.getMessage(), e);
            return;
        }
        boolean large =
                generation.recordBytes() > Math.max(journal.settings.compactBytes(), generation.snapshotBytes());
        if (large && journal.rewrite == null && !journal.closed && now - rewriteNotBeforeNanos >= 0) {
            journal.rewrite = JournalRewrite.start(journal, generation.number() + 1);
        }
    }

    private void takeOver() {
        JournalRewrite rewrite = java.util.Objects.requireNonNull(journal.rewrite, "rewrite");
        Cover cover = null;
        journal.lock.lock();
        try {
            Generation next = rewrite.result();
            if (next != null && canSync() && !journal.closed && rewrite.mirror(next)) {
                cover = cover(next);
            }
        } finally {
            journal.lock.unlock();
        }
        if (cover == null || !synced(cover)) {
            giveUp(rewrite);
            return;
        }
        Generation old = publish(rewrite, cover);
        if (old == null) {
            giveUp(rewrite);
            return;
        }
        try {
            cover.generation.syncNames();
        } catch (IOException | RuntimeException | Error e) {
            journal.fence("a sync failed: " + e.getMessage(), e);
            return;
        }
        journal.lock.lock();
        try {
            covered(cover);
        } finally {
            journal.lock.unlock();
        }
        retire(old, cover.generation);
    }

    /**
     * Under the lock: until here every record went to both generations, from here on to the new one.
     *
     * @return the old generation, or null when the new one lacks a record
     */
    private @Nullable Generation publish(JournalRewrite rewrite, Cover cover) {
        journal.lock.lock();
        try {
            if (!rewrite.complete()) {
                return null;
            }
            cover.generation.publish();
            Generation old = journal.active;
            journal.active = cover.generation;
            journal.rewrite = null;
            return old;
        } catch (IOException e) {
            journal.fence("a rewritten generation could not be put in place: " + e.getMessage(), e);
            return null;
        } finally {
            journal.lock.unlock();
        }
    }

    private void giveUp(JournalRewrite rewrite) {
        journal.lock.lock();
        try {
            journal.rewrite = null;
        } finally {
            journal.lock.unlock();
        }
        rewriteNotBeforeNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(Limits.JOURNAL_REWRITE_PAUSE_MILLIS);
        rewrite.discard();
    }

    private void retire(Generation old, Generation newest) {
        try {
            old.close();
        } catch (IOException e) {
            LOG.warn("{}: the old generation was not closed: {}", journal.component(), e.getMessage());
        }
        Journal.retireOthers(newest, old.number(), List.of());
        restoreReserve();
    }

    private void restoreReserve() {
        try {
            journal.settings.reserve().restore();
        } catch (IOException e) {
            LOG.warn("The reserve for a full disk is not whole: {}", e.getMessage());
        }
    }
}
