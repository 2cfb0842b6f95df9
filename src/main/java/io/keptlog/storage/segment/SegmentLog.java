// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.AtRisk;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Fault;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.StoreObserver.SyncReason;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.SealedSegment;
import io.keptlog.storage.SyncTarget;
import io.keptlog.storage.TailWatch;
import io.keptlog.storage.segment.format.Checkpoint;
import io.keptlog.storage.segment.recovery.RecoveredPartition.Damage;
import io.keptlog.storage.sync.SyncOutcome;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One partition's log in segment files: the door to its appender, its sync owner and its reader.
 * <p>Any thread. Reads take no lock that an append takes, and go on when the log is fenced, damaged or being deleted.
 * <p>What a crash leaves is for recovery to say; nothing else makes a log that takes appends. Refusals as in {@link PartitionLog}.
 */
final class SegmentLog implements PartitionLog {
    private static final int READ_TRIES = 100;

    private final LogState state;
    private final StoreParts parts;
    private final @Nullable LogWriting writing;
    private final @Nullable Damage damage;
    private final SyncTarget tail;
    private final RemovalReason removed;
    /** The first damage that a read met. */
    private volatile LogReader.@Nullable DamagedException readDamage;

    /**
     * @param writing null when the log takes no appends
     * @param damage what recovery could not make readable
     */
    SegmentLog(LogState state, StoreParts parts, @Nullable LogWriting writing, @Nullable Damage damage) {
        this.state = state;
        this.parts = parts;
        this.writing = writing;
        this.damage = damage;
        this.removed =
                new RemovalReason(parts.files(), state.paths(), state.spec().incarnation());
        this.tail = writing == null ? new ReadOnlyTail(state) : new LogTail(state, writing);
    }

    @Override
    public PartitionSpec spec() {
        return state.spec();
    }

    @Override
    public Appended append(MessageBatch batch, Deadline deadline) {
        if (writing == null) {
            state.requireWritable();
            throw new IllegalStateException("a log without a writer is open");
        }
        return writing.appender().append(batch, deadline);
    }

    @Override
    public SyncTarget tail() {
        return tail;
    }

    @Override
    public TailWatch watch(Visibility visibility) {
        return state.watch(visibility);
    }

    @Override
    public Slice read(long fromOffset, int maxMessages, long maxBytes, Visibility visibility) {
        if (maxMessages < 1 || fromOffset < 0) {
            throw new IllegalArgumentException("read of " + maxMessages + " from " + fromOffset);
        }
        for (int tries = 1; ; tries++) {
            state.requireReadable();
            Tail bound = state.bound(visibility);
            SegmentList segments = state.segments();
            long first =
                    segments.isEmpty() ? bound.endOffset() : segments.get(0).baseOffset();
            long from = Math.max(fromOffset, first);
            Gap gap = fromOffset < first ? new Gap(fromOffset, first, removed.reason()) : null;
            if (from >= bound.endOffset()) {
                requireUndamaged(from);
                return new Slice(List.of(), from, 0, bound.endOffset(), state.epoch(), gap, () -> {});
            }
            LogReader reader = new LogReader(
                    parts.coldReads(), state.spec().incarnation(), segments, bound, maxMessages, maxBytes);
            if (collect(reader, from, tries)) {
                return new Slice(
                        reader.runs(),
                        reader.startOffset(),
                        reader.count(),
                        bound.endOffset(),
                        state.epoch(),
                        joined(gap, reader.gap()),
                        once(reader));
            }
        }
    }

    /** What was removed at the log's beginning, and the hole that comes right behind it. */
    private static @Nullable Gap joined(@Nullable Gap removed, @Nullable Gap lost) {
        return removed == null || lost == null
                ? (removed == null ? lost : removed)
                : new Gap(removed.fromOffset(), lost.toOffset(), lost.reason());
    }

    /** @return false when the segments that it began with are gone: begin anew with those that are left */
    private boolean collect(LogReader reader, long from, int tries) {
        boolean kept = false;
        try {
            reader.collect(from);
            kept = true;
        } catch (NoSuchFileException e) {
            kept = reader.count() > 0;
            if (!kept) {
                again(tries, from, from + 1, e);
            }
        } catch (LogReader.DamagedException e) {
            kept = reader.count() > 0;
            if (!kept) {
                throw damaged(e);
            }
        } finally {
            if (!kept) {
                reader.unpin();
            }
        }
        return kept;
    }

    /** A file was not there: the log was closed, or its segments changed meanwhile, or it is lost. */
    private void again(int tries, long from, long to, NoSuchFileException e) {
        state.requireNotClosed();
        if (tries >= READ_TRIES) {
            throw damaged(new LogReader.DamagedException(from, to, "its file is missing", e));
        }
    }

    private static Runnable once(LogReader reader) {
        AtomicBoolean done = new AtomicBoolean();
        return () -> {
            if (done.compareAndSet(false, true)) {
                reader.unpin();
            }
        };
    }

    private KeptlogException damaged(LogReader.DamagedException e) {
        if (readDamage == null) {
            readDamage = e;
        }
        return state.damaged(e.fromOffset(), e.toOffset(), String.valueOf(e.getMessage()));
    }

    private void requireUndamaged(long from) {
        if (damage != null && state.condition().state() == LogStatus.State.DAMAGED) {
            throw state.damaged(damage.fromOffset(), Math.max(damage.toOffset(), from + 1), damage.reason());
        }
    }

    @Override
    public long offsetAt(long timestampMicros, Visibility visibility) {
        for (int tries = 1; ; tries++) {
            state.requireReadable();
            Tail bound = state.bound(visibility);
            SegmentList segments = state.segments();
            if (segments.isEmpty()) {
                return bound.endOffset();
            }
            try {
                long found = new LogReader(parts.coldReads(), state.spec().incarnation(), segments, bound, 1, 1)
                        .offsetAt(timestampMicros);
                return Math.max(segments.get(0).baseOffset(), Math.min(found, bound.endOffset()));
            } catch (NoSuchFileException e) {
                again(tries, 0, bound.endOffset(), e);
            } catch (LogReader.DamagedException e) {
                throw damaged(e);
            }
        }
    }

    @Override
    public @Nullable Gap cutSince(long epoch, long offset) {
        return state.cutSince(epoch, offset);
    }

    /** Somebody else has read a part of it that is damaged: health shows it as if a poll had. */
    void noteDamage(long fromOffset, long toOffset, String reason) {
        var unused = damaged(new LogReader.DamagedException(fromOffset, toOffset, reason, null));
    }

    @Override
    public LogStatus status() {
        return LogLook.status(state, state.bound(Visibility.TOPIC).endOffset());
    }

    AtRisk atRisk() {
        return LogLook.atRisk(state);
    }

    @Override
    public List<SealedSegment> sealedSegments() {
        return LogLook.sealed(state);
    }

    @Override
    public List<SealedSegment> deleteSegments(long endOffset, Gap.Reason reason) {
        if (writing == null) {
            state.requireWritable();
            return List.of();
        }
        return writing.deletion().delete(endOffset, () -> removed.note(reason));
    }

    /** What is wrong with it, for health. */
    Optional<Fault> fault() {
        return LogLook.fault(state, readDamage);
    }

    LogState state() {
        return state;
    }

    @Nullable
    LogWriting writing() {
        return writing;
    }

    /** Called a few times each second: syncs what has reached its age, keeps the checkpoint of an idle log up to date. */
    void tick(long flushAgeNanos, long tickNanos) {
        LogWriting path = writing;
        if (path == null || !state.open()) {
            return;
        }
        if (state.dirty()) {
            if (System.nanoTime() - state.dirtySinceNanos() + tickNanos >= flushAgeNanos) {
                path.owner().request(SyncReason.AGE);
            }
        } else if (path.idleIsDue()) {
            parts.preparer().execute(() -> path.idle(state));
        }
    }

    /** After the log drains: the last sync is asked for, so that those of many logs run together. */
    void requestFinalSync() {
        if (writing != null) {
            // Whoever passed the check before the log drained has written when this returns.
            writing.appender().awaitRunningAppend();
            if (state.dirty()) {
                writing.owner().request(SyncReason.SHUTDOWN);
            }
        }
    }

    SyncOutcome awaitFinalSync(Deadline deadline) {
        LogWriting path = java.util.Objects.requireNonNull(writing);
        return path.owner().await(state.tail().endOffset(), SyncReason.SHUTDOWN, deadline);
    }

    Checkpoint finalCheckpoint() {
        return java.util.Objects.requireNonNull(writing).checkpoints().now();
    }

    /**
     * Takes no appends any more; who waits for a sync gets it. Files are closed when the last sync has ended.
     *
     * @param deleted whether its files are about to go
     */
    void close(boolean deleted) {
        LogState.Condition before = state.close(deleted);
        if (writing != null && before.state() != LogStatus.State.CLOSED) {
            writing.close(state);
        }
        if (deleted || before.state() != LogStatus.State.CLOSED) {
            state.segments().segments().forEach(segment -> segment.mapped().retire());
        }
    }
}
