// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Limits;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.ProducerStamp;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.producer.ProducerState;
import io.keptlog.storage.producer.ProducerStates;
import io.keptlog.storage.producer.ProducerVerdict;
import io.keptlog.storage.segment.format.ProducersFile;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns what one log remembers of idempotent producers, and its snapshots: taken at a roll, after so many bytes and when the log is idle;
 * written once everything before their point is on stable storage, in the background. A log that no producer ever wrote to has none and
 * pays a test of one field for it.
 * <p>What the appender calls runs under its lock, the rest on any thread. A crash leaves the old snapshot or the new one, neither beyond
 * what the disk keeps of the log. A snapshot that cannot be written is made up for by reading frames: nothing is thrown.
 */
final class LogProducers {
    private static final Logger LOG = LoggerFactory.getLogger(LogProducers.class);
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private record Snapshot(Tail point, List<ProducerState> producers) {}

    private final LogState state;
    private final StoreParts parts;
    private final ProducerStates states;
    private final ReentrantLock appendLock;
    private final AtomicBoolean writing = new AtomicBoolean();
    private volatile boolean seen;
    private final AtomicReference<@Nullable Snapshot> taken = new AtomicReference<>();
    private volatile long takenBytes;
    private volatile long writtenEnd;
    private volatile long lastTryNanos = System.nanoTime() - RETRY_NANOS;

    /**
     * @param states what the log says up to its end
     * @param seen whether a producer ever wrote to the log
     * @param writtenEnd end offset of the snapshot on disk, −1 when there is none
     */
    LogProducers(
            LogState state,
            StoreParts parts,
            ReentrantLock appendLock,
            ProducerStates states,
            boolean seen,
            long writtenEnd) {
        this.state = state;
        this.parts = parts;
        this.appendLock = appendLock;
        this.states = states;
        this.seen = seen;
        this.writtenEnd = writtenEnd;
        this.takenBytes = state.tail().bytes();
    }

    /** Frames before this offset are not needed to know the producers: a snapshot on stable storage does. */
    long keptTo() {
        return seen ? writtenEnd : Long.MAX_VALUE;
    }

    /** Whether frames of the log may carry a producer. Read after the end that it is said of. */
    boolean seen() {
        return seen;
    }

    /**
     * Under the appender's lock.
     *
     * @return what to do with the batch, or null when it is new and to be appended
     * @throws io.keptlog.domain.KeptlogException SEQUENCE_GAP, PRODUCER_FENCED: not stored
     */
    @Nullable
    ProducerVerdict old(MessageBatch batch, Tail tail) {
        ProducerStamp stamp = batch.producer();
        if (stamp == null) {
            return null;
        }
        long time = Math.max(tail.chain().lastAppendTimeMicros(), parts.nowMicros());
        ProducerVerdict verdict = states.decide(stamp, batch.count(), time);
        return verdict.isNew() ? null : verdict;
    }

    /** Under the appender's lock, when the frame is written and before the tail shows it. */
    void written(FrameHeader header) {
        ProducerStamp stamp = header.producer();
        if (stamp != null) {
            seen = true;
            states.applied(stamp, header.count(), header.baseOffset(), header.epoch(), header.appendTimeMicros());
        }
    }

    /** Under the appender's lock, when the tail shows the frame. */
    void appended(Tail tail) {
        if (seen && tail.bytes() - takenBytes >= Limits.PRODUCER_SNAPSHOT_EVERY_BYTES) {
            take(tail);
        }
    }

    /** Under the appender's lock, when the tail is at the beginning of a new segment. */
    void rolled(Tail tail) {
        if (seen) {
            take(tail);
        }
    }

    private void take(Tail tail) {
        taken.set(new Snapshot(tail, states.list()));
        takenBytes = tail.bytes();
    }

    /** After a sync, by the sync owner: a snapshot whose point is on stable storage now is written. */
    void synced() {
        Snapshot ready = taken.get();
        if (ready != null && ready.point().endOffset() <= state.synced().endOffset()) {
            write();
        }
    }

    /** Whether an idle log has no snapshot of its end. */
    boolean idleIsDue() {
        return seen
                && writtenEnd != state.tail().endOffset()
                && !state.dirty()
                && System.nanoTime() - lastTryNanos >= RETRY_NANOS;
    }

    /** Snapshots a log that is idle. */
    void idle() {
        if (!seen || writtenEnd == state.tail().endOffset()) {
            return;
        }
        appendLock.lock();
        try {
            take(state.tail());
        } finally {
            appendLock.unlock();
        }
        synced();
    }

    private void write() {
        if (writing.compareAndSet(false, true)) {
            parts.preparer().execute(() -> {
                try {
                    writeTaken();
                } finally {
                    writing.set(false);
                }
            });
        }
    }

    private void writeTaken() {
        Snapshot ready = taken.get();
        // Another one may have been taken meanwhile, which is ahead of what is synced: its own sync writes it.
        if (ready == null || ready.point().endOffset() > state.synced().endOffset() || !state.open()) {
            return;
        }
        lastTryNanos = System.nanoTime();
        Tail point = ready.point();
        long base = java.util.Objects.requireNonNull(point.segment()).baseOffset();
        try {
            state.inPlace(() -> ProducersFile.write(
                    parts.files(),
                    state.paths().producers(),
                    state.spec().incarnation(),
                    new ProducersFile.Point(base, point.position(), point.chain()),
                    ready.producers()));
            writtenEnd = point.endOffset();
        } catch (IOException e) {
            if (!state.condition().deleted()) {
                LOG.warn(
                        "partition {}: no snapshot of its producers",
                        state.spec().ref(),
                        e);
            }
        }
        taken.compareAndSet(ready, null);
    }
}
