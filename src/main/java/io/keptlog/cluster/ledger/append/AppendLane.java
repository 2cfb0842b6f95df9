// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.keptlog.cluster.ledger.read.LedgerReads;
import io.keptlog.cluster.ledger.read.OffsetLocator;
import io.keptlog.cluster.ledger.read.StoredFrame;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.storage.Appended;
import io.keptlog.storage.TailWatch;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import io.keptlog.storage.frame.FrameLayout;
import io.keptlog.storage.producer.ProducerVerdict;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.bookkeeper.mledger.AsyncCallbacks.AddEntryCallback;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.Position;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.jspecify.annotations.Nullable;

/**
 * The order of a partition's appends: stamps offsets under its lock, submits in that order, and moves the confirmed end as answers come, in
 * the same order. After any failed answer the outcome of everything in flight is unknown: nothing new is stamped until every answer has
 * come; then the next offset is the end of the last confirmed frame again. A crash of this process leaves what the quorum has.
 * Any number of appending threads; answers come on the managed ledger's thread.
 */
public final class AppendLane implements AddEntryCallback {
    private final ManagedLedgerImpl ledger;
    private final LaneInterceptor interceptor;
    private final LedgerReads reads;
    private final PendingBytes budget;
    private final LaneProducers producers;
    private final LaneState state;
    private final Clock clock;
    private final long incarnation;
    private final long epoch;

    public AppendLane(
            ManagedLedgerImpl ledger,
            LaneInterceptor interceptor,
            LedgerReads reads,
            PendingBytes budget,
            Clock clock,
            LaneStart start) {
        this.ledger = ledger;
        this.interceptor = interceptor;
        this.reads = reads;
        this.budget = budget;
        this.clock = clock;
        this.incarnation = start.incarnation();
        this.epoch = start.epoch();
        this.producers = start.producers();
        this.state = new LaneState(start.tail(), start.place(), producers);
    }

    /** Where a lane begins: what is before it, and as whom it writes. */
    public record LaneStart(
            long incarnation, long epoch, FrameChain tail, OffsetLocator.Place place, LaneProducers producers) {}

    public long confirmedEnd() {
        return state.confirmedEnd();
    }

    /** Told when the confirmed end has moved, and when the lane takes no appends any more. */
    public TailWatch watch() {
        return state.watch();
    }

    public OffsetLocator.Place confirmedPlace() {
        return state.confirmedPlace();
    }

    public FrameChain confirmedChain() {
        return locked(state::confirmed);
    }

    public LanePhase phase() {
        return locked(state::phase);
    }

    private <T> T locked(Supplier<T> action) {
        state.lock.lock();
        try {
            return action.get();
        } finally {
            state.lock.unlock();
        }
    }

    /**
     * Stamps, submits and waits for the quorum's answer.
     *
     * @param stored is told of a new frame before this returns
     * @throws KeptlogException PRODUCE_TIMEOUT: it may be stored; any other: nothing was submitted
     */
    public Appended append(MessageBatch batch, Deadline deadline, Consumer<StoredFrame> stored) {
        MessageBatch wanted = batch;
        while (true) {
            Submission submission = submit(wanted, deadline);
            ProducerVerdict old = submission.old();
            if (old == null) {
                StoredFrame frame = Objects.requireNonNull(submission.append()).await(deadline);
                stored.accept(frame);
                return new Appended(frame.baseOffset(), frame.endOffset(), epoch, false);
            }
            if (old.isDuplicate()) {
                return new Appended(old.baseOffset(), old.endOffset(), old.epoch(), true);
            }
            // Without the lock: the rest is copied and summed up anew.
            wanted = wanted.without(old.oldMessages());
        }
    }

    /** Either on its way, or known to be stored, all of it or its first messages. */
    private record Submission(@Nullable PendingAppend append, @Nullable ProducerVerdict old) {}

    private Submission submit(MessageBatch batch, Deadline deadline) {
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
        state.lock.lock();
        try {
            return stampAndSubmit(batch, MemorySegment.ofArray(frame), buffer, deadline);
        } finally {
            state.lock.unlock();
            // The library has taken its own reference.
            buffer.release();
        }
    }

    private Submission stampAndSubmit(MessageBatch batch, MemorySegment bytes, ByteBuf buffer, Deadline deadline) {
        state.awaitOpen(deadline);
        FrameChain before = state.submitted();
        long time = Math.max(ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()), before.lastAppendTimeMicros());
        ProducerVerdict old = producers.old(batch, time);
        if (old != null) {
            requireConfirmed(old, deadline);
            return new Submission(null, old);
        }
        var header = new FrameHeader(
                batch.bodyLength(),
                batch.bodyCrc(),
                before.endOffset(),
                time,
                batch.count(),
                incarnation,
                epoch,
                before.lastHeaderCrc(),
                state.confirmed().endOffset(),
                batch.producer());
        int crc = header.write(bytes, 0, header.baseOffset());
        var append = new PendingAppend(bytes, header, before.after(header, crc), interceptor.generation());
        state.submitted(append);
        ledger.asyncAddEntry(buffer, batch.count(), this, append);
        return new Submission(append, null);
    }

    /** A duplicate is confirmed as its first life is, never before it. */
    private void requireConfirmed(ProducerVerdict old, Deadline deadline) {
        if (old.isDuplicate() && !state.awaitOutcome(old.endOffset(), deadline)) {
            throw AppendFailures.unknown("it is a repetition of one whose outcome is not known yet");
        }
    }

    public static KeptlogException notPrimary() {
        return KeptlogException.retryable(ErrorCode.NOT_PRIMARY, "Another broker has this partition now.", 1);
    }

    @Override
    public void addComplete(Position position, ByteBuf ignored, Object context) {
        var append = (PendingAppend) context;
        var frame = new StoredFrame(append.bytes, append.header, position.getLedgerId(), position.getEntryId());
        state.lock.lock();
        try {
            if (append.header.baseOffset() == state.confirmed().endOffset()) {
                // Readers look there as soon as the end moves.
                reads.confirmed(frame);
            }
            if (state.answered(append, new OffsetLocator.Place(position.getLedgerId(), position.getEntryId()))) {
                append.confirmed(frame);
            } else {
                append.failed(AppendFailures.unknown("an answer came out of order"));
            }
            state.afterAnswer();
        } finally {
            state.lock.unlock();
        }
    }

    @Override
    public void addFailed(ManagedLedgerException cause, Object context) {
        var append = (PendingAppend) context;
        interceptor.overtake(append.generation);
        state.lock.lock();
        try {
            state.failed(unusable());
            append.failed(
                    append.wasSent()
                            ? AppendFailures.unknown(String.valueOf(cause.getMessage()))
                            : AppendFailures.notStored(cause));
            state.afterAnswer();
        } finally {
            state.lock.unlock();
        }
    }

    /** Fenced by another owner, or closed: only a new opening helps. The library shares an instance among those who open its name. */
    private boolean unusable() {
        return switch (ledger.getState()) {
            case Closed, Terminated -> true;
            default -> ledger.getState().isFenced();
        };
    }

    /**
     * Called every so often. Lets writes go on when a new ledger can be made.
     *
     * @param shortage why none can be made; null when one can
     */
    public void resumeWhenPossible(@Nullable String shortage) {
        state.lock.lock();
        try {
            state.resumeWhenPossible(shortage, unusable(), ledger::readyToCreateNewLedger);
        } finally {
            state.lock.unlock();
        }
    }

    /** Waits until everything before {@code end} is confirmed. @return whether it is */
    public boolean awaitConfirmed(long end, Deadline deadline) {
        return confirmedEnd() >= end || locked(() -> state.awaitConfirmed(end, deadline));
    }

    /** Runs it under the lane's lock when nothing is in flight. @return whether it ran */
    public boolean whenIdle(Runnable action) {
        return locked(() -> state.runWhenIdle(action));
    }

    /** Refuses new appends; those in flight get their answers. */
    public void close() {
        state.lock.lock();
        try {
            state.close();
        } finally {
            state.lock.unlock();
        }
    }

    /** Waits for the answers in flight. @return whether all have come */
    public boolean awaitIdle(Deadline deadline) {
        return locked(() -> state.awaitIdle(deadline));
    }

    /** What is remembered of producers at the confirmed end, and how much was confirmed until then; null when none ever wrote. */
    @Nullable
    public ProducersPoint producers() {
        return locked(() -> producers.seen()
                ? new ProducersPoint(
                        new ProducerCopies.Copy(state.confirmed().endOffset(), producers.copy()),
                        producers.bytes(),
                        producers.frames())
                : null);
    }

    /** Whether so much was confirmed since a point that another copy is due. */
    public boolean producersMovedBy(ProducersPoint since, long bytes, long frames) {
        return locked(
                () -> producers.bytes() - since.bytes() >= bytes || producers.frames() - since.frames() >= frames);
    }

    /** A copy, and bytes and frames confirmed since the opening when it was taken. */
    public record ProducersPoint(ProducerCopies.Copy copy, long bytes, long frames) {}
}
