// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.Visibility;
import io.keptlog.storage.LogStatus.State;
import io.keptlog.storage.TailWatch;
import io.keptlog.storage.segment.format.EpochHistory;
import io.keptlog.storage.segment.format.PartitionPaths;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one log share: where it ends, how far it is synced, which segments it has, and whether it takes writes.
 * <p>Any thread reads; each field says who writes. Ends never decrease. The state only gets worse: open, then fenced, then closed.
 */
final class LogState {
    /** Whether the log takes writes, and the sentence that says why not. */
    record Condition(State state, String reason, boolean deleted) {
        static final Condition OPEN = new Condition(State.OPEN, "", false);
    }

    private final PartitionSpec spec;
    private final PartitionPaths paths;
    private final long epoch;
    private final AtomicReference<Condition> condition;
    /** Shared by whoever works on the partition's files by their names; the deletion of the log waits for them. */
    private final ReentrantReadWriteLock place = new ReentrantReadWriteLock();

    private final TailWatch appendWatch = new TailWatch();
    private final TailWatch syncWatch = new TailWatch();

    private volatile Tail tail;
    private volatile Tail synced;
    private volatile SegmentList segments;
    private volatile boolean draining;
    private volatile boolean zeroAhead;
    private volatile long dirtySinceNanos;
    /** As recovery found it, up to where the log ended then. */
    private final EpochHistory earlierEpochs;

    private final long recoveredEnd;

    LogState(
            PartitionSpec spec,
            PartitionPaths paths,
            long epoch,
            Condition condition,
            SegmentList segments,
            Tail tail,
            EpochHistory earlierEpochs) {
        this.spec = spec;
        this.paths = paths;
        this.epoch = epoch;
        this.condition = new AtomicReference<>(condition);
        this.segments = segments;
        this.tail = tail;
        this.synced = tail;
        this.recoveredEnd = tail.endOffset();
        this.earlierEpochs = earlierEpochs;
    }

    /** See {@link io.keptlog.storage.PartitionLog#cutSince}. A log that took no writes since recovery refused it was not cut. */
    @Nullable
    Gap cutSince(long readerEpoch, long offset) {
        State now = condition().state();
        if (readerEpoch >= epoch || now == State.DAMAGED || now == State.READ_ONLY) {
            return null;
        }
        long end = earlierEpochs.endOf(readerEpoch, recoveredEnd);
        return offset > end ? new Gap(end, offset, Gap.Reason.RECOVERY) : null;
    }

    PartitionSpec spec() {
        return spec;
    }

    PartitionPaths paths() {
        return paths;
    }

    /** Of frames written from now on. */
    long epoch() {
        return epoch;
    }

    /** Where the next frame goes. Written by the appender, under its lock. */
    Tail tail() {
        return tail;
    }

    void tail(Tail newTail) {
        tail = newTail;
        appendWatch.tell();
    }

    /** Everything before it is on stable storage. Written by the sync owner, after the sync. */
    Tail synced() {
        return synced;
    }

    void synced(Tail newSynced) {
        synced = newSynced;
        syncWatch.tell();
    }

    private boolean persistedOnly(Visibility visibility) {
        return visibility == Visibility.PERSISTED || spec.options().durability() == Durability.PERSISTED;
    }

    /** Up to where a reader sees. */
    Tail bound(Visibility visibility) {
        return persistedOnly(visibility) ? synced : tail;
    }

    /** Told when {@link #bound} has moved, and when the log is closed. */
    TailWatch watch(Visibility visibility) {
        return persistedOnly(visibility) ? syncWatch : appendWatch;
    }

    SegmentList segments() {
        return segments;
    }

    /** Under the appender's lock. */
    void segments(SegmentList newSegments) {
        segments = newSegments;
    }

    /** When the oldest append that may be unsynced was made, on the monotonic clock; means something only while there is one. */
    long dirtySinceNanos() {
        return dirtySinceNanos;
    }

    void dirtySince(long nanos) {
        dirtySinceNanos = nanos;
    }

    boolean dirty() {
        return tail.endOffset() > synced.endOffset();
    }

    /** Whether space is filled with zeros ahead of the writer: from the first acknowledgement on that waits for a sync. */
    boolean zeroAhead() {
        return zeroAhead;
    }

    void wantZeroAhead() {
        zeroAhead = true;
    }

    Condition condition() {
        return java.util.Objects.requireNonNull(condition.get());
    }

    /** @return whether the log was open until now */
    boolean fence(String reason) {
        return condition.compareAndSet(Condition.OPEN, new Condition(State.FENCED, reason, false));
    }

    /**
     * When the log is deleted, nobody works on files in its place any more when this returns: another life may begin there.
     *
     * @return what it was before
     */
    Condition close(boolean deleted) {
        Condition closed = new Condition(State.CLOSED, deleted ? "deleted" : "closed", deleted);
        if (!deleted) {
            return become(closed);
        }
        place.writeLock().lock();
        try {
            return become(closed);
        } finally {
            place.writeLock().unlock();
        }
    }

    private Condition become(Condition closed) {
        Condition before =
                java.util.Objects.requireNonNull(condition.getAndUpdate(old -> old.deleted() ? old : closed));
        appendWatch.tell();
        syncWatch.tell();
        return before;
    }

    /** Work on the partition's files by their names. */
    @FunctionalInterface
    interface FileWork {
        void run() throws IOException;
    }

    /**
     * @throws NoSuchFileException the log was deleted, and nothing was done: what has the name now belongs to another life
     */
    void inPlace(FileWork work) throws IOException {
        place.readLock().lock();
        try {
            if (condition().deleted()) {
                throw new NoSuchFileException("partition " + spec.ref(), null, "deleted");
            }
            work.run();
        } finally {
            place.readLock().unlock();
        }
    }

    void drain() {
        draining = true;
    }

    boolean open() {
        return condition().state() == State.OPEN;
    }

    /**
     * @throws KeptlogException the log takes no writes; nothing was stored
     */
    void requireWritable() {
        Condition now = condition();
        if (now.state() == State.OPEN && !draining) {
            return;
        }
        requireNotClosed();
        if (now.state() == State.OPEN) {
            throw shuttingDown();
        }
        throw new KeptlogException(
                ErrorCode.PARTITION_FENCED, "Partition " + spec.ref() + " takes no writes: " + now.reason());
    }

    /**
     * @throws KeptlogException the log was deleted
     */
    void requireReadable() {
        if (condition().deleted()) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND, "Partition " + spec.ref() + " was deleted.", "partition_id");
        }
    }

    /**
     * @throws KeptlogException the log is closed: its files are not damaged, they are not open any more
     */
    void requireNotClosed() {
        requireReadable();
        if (condition().state() == State.CLOSED) {
            throw shuttingDown();
        }
    }

    private static KeptlogException shuttingDown() {
        return KeptlogException.retryable(ErrorCode.SHUTTING_DOWN, "The server is shutting down.", 1);
    }

    /** Messages that cannot be read. */
    KeptlogException damaged(long from, long to, String reason) {
        return new KeptlogException(
                        ErrorCode.PARTITION_DAMAGED,
                        "Partition " + spec.ref() + " is damaged: messages from offset " + from + " to " + to
                                + " (exclusive) cannot be read: " + reason + ".")
                .with("from_offset", from)
                .with("to_offset", to);
    }
}
