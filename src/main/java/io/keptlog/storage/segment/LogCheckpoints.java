// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.format.CheckpointFile;
import io.keptlog.storage.segment.format.EpochFile;
import io.keptlog.storage.segment.format.EpochHistory;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Owns one log's checkpoint: evidence of what was synced, never ahead of it. Written at most once a second, synced at a roll, when the
 * log is idle, and before segments are deleted.
 * <p>Any thread, one after the other. A crash leaves the old checkpoint or the new one. When it throws, the last one still counts.
 */
final class LogCheckpoints {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LogState state;
    private final StoreParts parts;
    private final LogProducers producers;
    private final long epochBase;
    private final ReentrantLock lock = new ReentrantLock();
    private EpochHistory epochs;
    private Checkpoint last;
    private boolean lastIsSynced = true;
    private volatile long lastNanos = System.nanoTime() - EVERY_NANOS;
    private volatile long writtenEnd;
    private volatile boolean idle;

    /**
     * @param last what is on disk, synced
     * @param epochs what is on disk
     */
    LogCheckpoints(LogState state, StoreParts parts, LogProducers producers, Checkpoint last, EpochHistory epochs) {
        this.producers = producers;
        this.state = state;
        this.parts = parts;
        this.last = last;
        this.epochs = epochs;
        this.epochBase = state.tail().endOffset();
        this.writtenEnd = last.endOffset();
        this.idle = true;
    }

    /** After a sync: writes when a second has passed since the last time. */
    void synced() throws IOException {
        if (System.nanoTime() - lastNanos >= EVERY_NANOS) {
            write(state.segments().get(0).baseOffset(), false);
        }
    }

    /** After a roll or for a stop: on stable storage when this returns. */
    void sync() throws IOException {
        write(state.segments().get(0).baseOffset(), true);
    }

    /** Whether the checkpoint lags behind a log that has been idle for a second. */
    boolean idleIsDue() {
        return (!idle || writtenEnd < state.synced().endOffset())
                && !state.dirty()
                && System.nanoTime() - lastNanos >= EVERY_NANOS;
    }

    /** Segments that end at or before this offset are about to be deleted: on stable storage when this returns. */
    void advanceFirst(long firstOffset) throws IOException {
        write(firstOffset, true);
    }

    /** The last one written. */
    Checkpoint last() {
        lock.lock();
        try {
            return last;
        } finally {
            lock.unlock();
        }
    }

    EpochHistory epochs() {
        lock.lock();
        try {
            return epochs;
        } finally {
            lock.unlock();
        }
    }

    /** What the checkpoint would say now, for the clean marker; nothing is written. */
    Checkpoint now() {
        lock.lock();
        try {
            return next(state.segments().get(0).baseOffset());
        } finally {
            lock.unlock();
        }
    }

    private Checkpoint next(long firstOffset) {
        Tail synced = state.synced();
        long base = java.util.Objects.requireNonNull(synced.segment()).baseOffset();
        return last.next(Math.max(firstOffset, last.firstOffset()), base, base, synced.position(), synced.chain())
                .withProducers(producers.seen());
    }

    private void write(long firstOffset, boolean sync) throws IOException {
        lock.lock();
        try {
            Checkpoint next = next(firstOffset);
            boolean same = next.saysTheSameAs(last);
            if (same && (lastIsSynced || !sync)) {
                idle |= lastIsSynced;
                return;
            }
            state.inPlace(() -> put(next, same, sync));
            idle = sync;
            writtenEnd = last.endOffset();
            lastNanos = System.nanoTime();
        } catch (NoSpaceException e) {
            lastNanos = System.nanoTime();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    private void put(Checkpoint next, boolean same, boolean sync) throws IOException {
        keepEpoch(next.endOffset());
        try (CheckpointFile file =
                CheckpointFile.open(parts.files(), state.paths().checkpoint())) {
            if (!same) {
                file.write(next);
                last = next;
                lastIsSynced = false;
            }
            if (sync) {
                file.sync();
                lastIsSynced = true;
            }
        }
    }

    /** The epochs file is on stable storage before a checkpoint passes the first frame of a new epoch. */
    private void keepEpoch(long syncedEnd) throws IOException {
        if (syncedEnd > epochBase && epochs.newest() < state.epoch()) {
            EpochHistory more = epochs.with(state.epoch(), epochBase).from(last.firstOffset());
            EpochFile.write(parts.files(), state.paths().epochs(), state.spec().incarnation(), more);
            epochs = more;
        }
    }
}
