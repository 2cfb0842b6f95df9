// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.bookkeeper.mledger.AsyncCallbacks.AddEntryCallback;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;

/**
 * The order of a partition's appends: stamps offsets under its lock, submits in that order, and moves the confirmed end as answers come, in
 * the same order. After any failed answer the outcome of everything in flight is unknown: nothing new is stamped until every answer has
 * come; then the next offset is the end of the last confirmed frame again. A crash of this process leaves what the quorum has.
 * Any number of appending threads; answers come on the managed ledger's thread.
 */
final class AppendLane implements AddEntryCallback {
    /** What it takes. */
    enum Phase {
        OPEN,
        /** Answers are outstanding after a failure. */
        DRAINING,
        /** All answers have come; waits until a ledger can be made. */
        STALLED,
        /** Another broker has the partition, or the library has lost its thread: only a new opening helps. */
        FENCED,
        CLOSED
    }

    private final ManagedLedgerImpl ledger;
    private final LaneInterceptor interceptor;
    private final LedgerReads reads;
    private final PendingBytes budget;
    private final Clock clock;
    private final long incarnation;
    private final long epoch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private FrameChain submitted;
    private FrameChain confirmed;
    private int inFlight;
    private Phase phase = Phase.OPEN;
    private long drainingSinceNanos;
    private String stallReason = "";

    private volatile long confirmedEnd;
    private volatile OffsetLocator.Place confirmedPlace;

    AppendLane(
            ManagedLedgerImpl ledger,
            LaneInterceptor interceptor,
            LedgerReads reads,
            PendingBytes budget,
            Clock clock,
            long incarnation,
            long epoch,
            FrameChain tail,
            OffsetLocator.Place tailPlace) {
        this.ledger = ledger;
        this.interceptor = interceptor;
        this.reads = reads;
        this.budget = budget;
        this.clock = clock;
        this.incarnation = incarnation;
        this.epoch = epoch;
        this.submitted = tail;
        this.confirmed = tail;
        this.confirmedEnd = tail.endOffset();
        this.confirmedPlace = tailPlace;
    }

    long confirmedEnd() {
        return confirmedEnd;
    }

    OffsetLocator.Place confirmedPlace() {
        return confirmedPlace;
    }

    FrameChain confirmedChain() {
        lock.lock();
        try {
            return confirmed;
        } finally {
            lock.unlock();
        }
    }

    Phase phase() {
        lock.lock();
        try {
            return phase;
        } finally {
            lock.unlock();
        }
    }

    /** Stamps and submits. @throws KeptlogException nothing was submitted */
    PendingAppend submit(MessageBatch batch, Deadline deadline) {
        int length = FrameLayout.frameLength(batch.bodyLength());
        if (length > StoredFrame.FRAME_MAX_BYTES) {
            throw new KeptlogException(
                    batch.count() == 1 ? ErrorCode.TOO_BIG_MESSAGE_PAYLOAD : ErrorCode.PAYLOAD_TOO_LARGE,
                    "A batch is one entry of a ledger: at most " + StoredFrame.FRAME_MAX_BYTES + " bytes, this one has "
                            + length + ".");
        }
        var frame = new byte[length];
        System.arraycopy(batch.bytes(), batch.bodyOffset(), frame, FrameLayout.HEADER_BYTES, batch.bodyLength());
        budget.take(length);
        ByteBuf buffer = new BudgetedBuffer(frame, budget);
        try {
            return stampAndSubmit(batch, MemorySegment.ofArray(frame), buffer, deadline);
        } finally {
            // The library has taken its own reference.
            buffer.release();
        }
    }

    private PendingAppend stampAndSubmit(MessageBatch batch, MemorySegment bytes, ByteBuf buffer, Deadline deadline) {
        lock.lock();
        try {
            awaitOpen(deadline);
            if (deadline.passed()) {
                throw KeptlogException.retryable(
                        ErrorCode.TRANSIENT_NOT_ACCEPTED, "The time for this write was over before it began.", 1);
            }
            long now = ChronoUnit.MICROS.between(java.time.Instant.EPOCH, clock.instant());
            var header = new FrameHeader(
                    batch.bodyLength(),
                    batch.bodyCrc(),
                    submitted.endOffset(),
                    Math.max(now, submitted.lastAppendTimeMicros()),
                    batch.count(),
                    incarnation,
                    epoch,
                    submitted.lastHeaderCrc(),
                    confirmed.endOffset(),
                    batch.producer());
            int crc = header.write(bytes, 0, header.baseOffset());
            var append = new PendingAppend(bytes, header, submitted.after(header, crc), interceptor.generation());
            submitted = append.after;
            inFlight++;
            ledger.asyncAddEntry(buffer, batch.count(), this, append);
            return append;
        } finally {
            lock.unlock();
        }
    }

    private void awaitOpen(Deadline deadline) {
        boolean interrupted = false;
        try {
            while (phase != Phase.OPEN) {
                switch (phase) {
                    case FENCED -> throw notPrimary();
                    case CLOSED -> throw KeptlogException.retryable(
                            ErrorCode.NOT_PRIMARY, "The partition is closed on this broker.", 1);
                    case STALLED -> throw KeptlogException.retryable(ErrorCode.QUORUM_UNAVAILABLE, stallReason, 1);
                    default -> {}
                }
                if (deadline.passed()) {
                    throw KeptlogException.retryable(
                            ErrorCode.TRANSIENT_NOT_ACCEPTED, "The partition recovers from a failed write.", 1);
                }
                try {
                    changed.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static KeptlogException notPrimary() {
        return KeptlogException.retryable(ErrorCode.NOT_PRIMARY, "Another broker has this partition now.", 1);
    }

    @Override
    public void addComplete(Position position, ByteBuf ignored, Object context) {
        var append = (PendingAppend) context;
        var frame = new StoredFrame(append.bytes, append.header, position.getLedgerId(), position.getEntryId());
        lock.lock();
        try {
            inFlight--;
            if (append.header.baseOffset() != confirmed.endOffset()) {
                // Answers come in the order of submission, or not at all. Anything else would be a hole.
                phase = Phase.FENCED;
                append.failed(unknown("an answer came out of order"));
            } else {
                reads.confirmed(frame);
                confirmed = append.after;
                confirmedPlace = new OffsetLocator.Place(position.getLedgerId(), position.getEntryId());
                confirmedEnd = append.header.endOffset();
                append.confirmed(frame);
            }
            afterAnswer();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void addFailed(ManagedLedgerException cause, Object context) {
        var append = (PendingAppend) context;
        interceptor.overtake(append.generation);
        lock.lock();
        try {
            inFlight--;
            if (phase == Phase.OPEN) {
                phase = Phase.DRAINING;
                drainingSinceNanos = System.nanoTime();
            }
            if (phase != Phase.CLOSED && ledger.getState().isFenced()) {
                phase = Phase.FENCED;
            }
            append.failed(append.wasSent() ? unknown(String.valueOf(cause.getMessage())) : notStored(cause));
            afterAnswer();
        } finally {
            lock.unlock();
        }
    }

    private void afterAnswer() {
        if (phase == Phase.DRAINING && inFlight == 0) {
            submitted = confirmed;
            phase = Phase.STALLED;
            stallReason = "A write failed; the partition waits for a new ledger.";
        }
        changed.signalAll();
    }

    private static KeptlogException unknown(String why) {
        return new KeptlogException(
                ErrorCode.PRODUCE_TIMEOUT, "The write failed (" + why + "); the batch may be stored.");
    }

    private static KeptlogException notStored(ManagedLedgerException cause) {
        return KeptlogException.retryable(
                cause instanceof ManagedLedgerException.ManagedLedgerFencedException
                        ? ErrorCode.NOT_PRIMARY
                        : ErrorCode.QUORUM_UNAVAILABLE,
                "No ledger could take the batch (" + cause.getMessage() + "); it is not stored.",
                1);
    }

    /**
     * Called every so often. Lets writes go on when enough bookies are there for a new ledger.
     *
     * @param ensembleSize E of the partition's policy
     * @param available bookies that take new ledgers
     */
    void resumeWhenPossible(int ensembleSize, int available) {
        lock.lock();
        try {
            if (phase != Phase.CLOSED && ledger.getState().isFenced()) {
                phase = Phase.FENCED;
            }
            if (phase == Phase.DRAINING
                    && System.nanoTime() - drainingSinceNanos
                            > TimeUnit.MILLISECONDS.toNanos(Limits.LEDGER_DRAIN_MAX_MILLIS)) {
                // The library owes an answer that will not come; a new opening finds what the quorum has.
                phase = Phase.FENCED;
            }
            if (phase == Phase.STALLED) {
                if (available >= ensembleSize) {
                    ledger.readyToCreateNewLedger();
                    phase = Phase.OPEN;
                } else {
                    stallReason = "A new ledger needs " + ensembleSize + " bookies, " + available + " are available.";
                }
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until everything before {@code end} is confirmed. @return whether it is */
    boolean awaitConfirmed(long end, Deadline deadline) {
        if (confirmedEnd >= end) {
            return true;
        }
        boolean interrupted = false;
        lock.lock();
        try {
            while (confirmedEnd < end && !deadline.passed() && phase != Phase.FENCED && phase != Phase.CLOSED) {
                try {
                    changed.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return confirmedEnd >= end;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Refuses new appends; those in flight get their answers. */
    void close() {
        lock.lock();
        try {
            phase = Phase.CLOSED;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the answers in flight. @return whether all have come */
    boolean awaitIdle(Deadline deadline) {
        boolean interrupted = false;
        lock.lock();
        try {
            while (inFlight > 0 && !deadline.passed()) {
                try {
                    changed.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return inFlight == 0;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
