// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.StoreObserver.SyncReason;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.storage.Appended;
import io.keptlog.storage.file.NoSpaceException;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameScratch.FrameBuffer;
import io.keptlog.storage.producer.ProducerVerdict;
import io.keptlog.storage.segment.format.SegmentHeader;
import io.keptlog.storage.sync.SyncOwner;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Orders the appends of one log: gives each frame its offsets, its place and its chain, and writes it.
 * <p>Any thread. Under the lock there is one positional write and nothing that waits for a disk to sync, allocate or make a file; whoever
 * needs space that is not prepared waits for it without the lock, at most to its deadline. Interrupts change nothing.
 * <p>A crash leaves whole frames and at most one torn one at the end. Each refusal means "not stored", but SYNC_FAILED: a write failed
 * and could not be taken back. Lengths and positions in bytes.
 */
final class LogAppender {
    private final LogState state;
    private final StoreParts parts;
    private final SyncOwner owner;
    private final SpaceKeeper space;
    private final LogRoller roller;
    private final LogProducers producers;
    private final ReentrantLock lock;
    private final Condition changed;
    private boolean rolling;

    LogAppender(
            LogState state,
            StoreParts parts,
            SyncOwner owner,
            SpaceKeeper space,
            LogRoller roller,
            LogProducers producers) {
        this.state = state;
        this.parts = parts;
        this.owner = owner;
        this.space = space;
        this.roller = roller;
        this.producers = producers;
        this.lock = space.lock();
        this.changed = space.changed();
    }

    Appended append(MessageBatch batch, Deadline deadline) {
        state.requireWritable();
        Patience patience = new Patience(deadline);
        try {
            MessageBatch wanted = batch;
            while (true) {
                Outcome outcome = attempt(wanted, patience);
                if (outcome.appended() != null) {
                    return outcome.appended();
                }
                // Without the lock: the rest is copied and summed up anew.
                wanted = wanted.without(outcome.oldMessages());
            }
        } finally {
            patience.restoreInterrupt();
        }
    }

    /**
     * Either appended (or known to be stored already), or nothing was done because some, not all, of the messages are stored.
     *
     * @param oldMessages how many of the first messages are
     */
    private record Outcome(@Nullable Appended appended, int oldMessages) {}

    private Outcome attempt(MessageBatch batch, Patience patience) {
        try (FrameBuffer frame = parts.scratch().fill(batch)) {
            patience.lock(lock);
            try {
                return appendLocked(frame, batch, patience);
            } finally {
                lock.unlock();
            }
        }
    }

    private Outcome appendLocked(FrameBuffer frame, MessageBatch batch, Patience patience) {
        while (true) {
            state.requireWritable();
            Tail tail = state.tail();
            // Anew after each wait, since the lock was free meanwhile; and first, since what is stored needs no space.
            ProducerVerdict old = producers.old(batch, tail);
            if (old != null) {
                return outcome(old);
            }
            SegmentWriter writer = java.util.Objects.requireNonNull(tail.writer());
            long end = tail.position() + frame.length();
            if (rolling) {
                patience.await(changed);
            } else if (end <= writer.limit() || tail.position() == SegmentHeader.FIRST_FRAME_POSITION) {
                if (end <= writer.space().readyEnd()) {
                    return new Outcome(write(frame, batch, tail, writer), 0);
                }
                space.want(writer, end);
                space.requireSpaceToCome();
                patience.await(changed);
            } else {
                PreparedSegment next = space.takeNext(SegmentHeader.FIRST_FRAME_POSITION + frame.length());
                if (next != null) {
                    roll(tail, next);
                } else {
                    space.requireSpaceToCome();
                    patience.await(changed);
                }
            }
        }
    }

    private static Outcome outcome(ProducerVerdict old) {
        return old.isDuplicate()
                ? new Outcome(new Appended(old.baseOffset(), old.endOffset(), old.epoch(), true), 0)
                : new Outcome(null, old.oldMessages());
    }

    private Appended write(FrameBuffer frame, MessageBatch batch, Tail tail, SegmentWriter writer) {
        FrameChain chain = tail.chain();
        FrameHeader header = new FrameHeader(
                batch.bodyLength(),
                batch.bodyCrc(),
                chain.endOffset(),
                Math.max(chain.lastAppendTimeMicros(), parts.nowMicros()),
                batch.count(),
                state.spec().incarnation(),
                state.epoch(),
                chain.lastHeaderCrc(),
                state.synced().endOffset(),
                batch.producer());
        int crc = header.write(frame.bytes(), 0, tail.position());
        try {
            writer.write(frame.bytes(), tail.position());
        } catch (NoSpaceException e) {
            throw noSpace(e);
        } catch (SegmentWriter.WriteLostException e) {
            owner.fence(e);
            throw new KeptlogException(
                    ErrorCode.SYNC_FAILED,
                    "The write to partition " + state.spec().ref()
                            + " failed and could not be taken back: the messages may be stored.");
        } catch (IOException e) {
            owner.fence(e);
            state.requireWritable();
            throw new IllegalStateException("a fenced log took a write", e);
        }
        Segment segment = java.util.Objects.requireNonNull(tail.segment());
        segment.noted(header.baseOffset(), tail.position(), header.appendTimeMicros());
        if (tail.endOffset() <= state.synced().endOffset()) {
            state.dirtySince(System.nanoTime());
        }
        Tail after = tail.after(chain.after(header, crc), frame.length());
        producers.written(header);
        state.tail(after);
        producers.appended(after);
        space.written(writer, after.position());
        requestSyncs(after);
        return new Appended(header.baseOffset(), header.endOffset(), header.epoch(), false);
    }

    private void requestSyncs(Tail tail) {
        Tail synced = state.synced();
        var options = state.spec().options();
        if (tail.endOffset() - synced.endOffset() >= options.messagesRequiredToSave()) {
            owner.request(SyncReason.MESSAGES);
        } else if (tail.bytes() - synced.bytes() >= options.sizeRequiredToSaveBytes()) {
            owner.request(SyncReason.BYTES);
        }
    }

    /** Gives the lock back while the next file gets its header and its name; nobody appends meanwhile. */
    private void roll(Tail last, PreparedSegment next) {
        rolling = true;
        lock.unlock();
        Segment segment = null;
        Throwable failure = null;
        try {
            segment = roller.install(next, last.endOffset());
        } catch (Throwable e) {
            failure = e;
        } finally {
            lock.lock();
        }
        rolling = false;
        changed.signalAll();
        if (segment != null) {
            roller.swap(last, segment, next);
            producers.rolled(state.tail());
            space.installed();
            owner.request(SyncReason.SEAL);
            parts.observer().rolled();
            return;
        }
        space.giveBackNext(next);
        if (failure instanceof NoSpaceException full) {
            throw noSpace(full);
        }
        owner.fence(java.util.Objects.requireNonNull(failure));
    }

    private KeptlogException noSpace(NoSpaceException cause) {
        parts.observer().noSpace();
        return SpaceKeeper.noSpace(state.spec().ref(), cause);
    }

    /** A wait that has a deadline, and that an interrupt neither ends nor gets lost in. */
    private static final class Patience {
        private final Deadline deadline;
        private boolean interrupted;

        Patience(Deadline deadline) {
            this.deadline = deadline;
        }

        void lock(ReentrantLock lock) {
            if (lock.tryLock()) {
                return;
            }
            while (true) {
                long left = requireTime();
                try {
                    if (lock.tryLock(left, TimeUnit.NANOSECONDS)) {
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }

        @SuppressWarnings("WaitNotInLoop") // the caller looks at everything again
        void await(Condition condition) {
            try {
                long unused = condition.awaitNanos(requireTime());
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }

        private long requireTime() {
            long left = deadline.remainingNanos();
            if (left == 0) {
                throw KeptlogException.retryable(
                        ErrorCode.TRANSIENT_NOT_ACCEPTED,
                        "The disk did not take the write in time. Nothing was stored.",
                        1);
            }
            return left;
        }

        void restoreInterrupt() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Fails everybody who waits for space: the log takes no writes any more. */
    void wake() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when no append that began before is still writing. */
    void awaitRunningAppend() {
        wake();
    }
}
