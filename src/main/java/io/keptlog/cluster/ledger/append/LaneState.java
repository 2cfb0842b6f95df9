// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.keptlog.cluster.ledger.read.OffsetLocator;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.storage.TailWatch;
import io.keptlog.storage.frame.FrameChain;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a lane stands: what was submitted, what is confirmed, whether it takes appends. All members but the two volatile ones are touched
 * under {@link #lock} only; waits end at their deadline and keep the interrupt for later. Nothing of it outlives the process: the next
 * opening finds the confirmed end in the ledgers.
 */
final class LaneState {
    final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final LaneProducers producers;
    private final TailWatch watch = new TailWatch();

    private FrameChain submitted;
    private FrameChain confirmed;
    private int inFlight;
    private int failures;
    private LanePhase phase = LanePhase.OPEN;
    private long drainingSinceNanos;
    private String stallReason = "";

    private volatile long confirmedEnd;
    private volatile OffsetLocator.Place confirmedPlace;

    LaneState(FrameChain tail, OffsetLocator.Place tailPlace, LaneProducers producers) {
        this.submitted = tail;
        this.confirmed = tail;
        this.confirmedEnd = tail.endOffset();
        this.confirmedPlace = tailPlace;
        this.producers = producers;
    }

    long confirmedEnd() {
        return confirmedEnd;
    }

    OffsetLocator.Place confirmedPlace() {
        return confirmedPlace;
    }

    /** Told when {@link #confirmedEnd()} has moved, and when the lane takes no appends any more. */
    TailWatch watch() {
        return watch;
    }

    FrameChain submitted() {
        return submitted;
    }

    FrameChain confirmed() {
        return confirmed;
    }

    LanePhase phase() {
        return phase;
    }

    /** Waits until the lane takes appends. @throws KeptlogException it does not, or not in time: nothing was done */
    void awaitOpen(Deadline deadline) {
        boolean decided = await(() -> phase != LanePhase.DRAINING, deadline);
        switch (phase) {
            case OPEN -> {}
            case FENCED -> throw AppendLane.notPrimary();
            case CLOSED -> throw KeptlogException.retryable(
                    ErrorCode.NOT_PRIMARY, "The partition is closed on this broker.", 1);
            case STALLED -> throw KeptlogException.retryable(ErrorCode.QUORUM_UNAVAILABLE, stallReason, 1);
            case DRAINING -> throw KeptlogException.retryable(
                    ErrorCode.TRANSIENT_NOT_ACCEPTED, "The partition recovers from a failed write.", 1);
        }
        if (!decided || deadline.passed()) {
            throw KeptlogException.retryable(
                    ErrorCode.TRANSIENT_NOT_ACCEPTED, "The time for this write was over before it began.", 1);
        }
    }

    void submitted(PendingAppend append) {
        submitted = append.after;
        inFlight++;
        producers.submitted(append.header);
    }

    /** @return false: not the next frame; answers come in the order of submission, or something is badly wrong */
    boolean answered(PendingAppend append, OffsetLocator.Place place) {
        inFlight--;
        if (append.header.baseOffset() != confirmed.endOffset()) {
            phase = LanePhase.FENCED;
            return false;
        }
        confirmed = append.after;
        confirmedPlace = place;
        confirmedEnd = append.header.endOffset();
        watch.tell();
        producers.confirmed(append.header);
        return true;
    }

    void failed(boolean ledgerIsFenced) {
        inFlight--;
        failures++;
        if (phase == LanePhase.OPEN) {
            phase = LanePhase.DRAINING;
            drainingSinceNanos = System.nanoTime();
        }
        lookWhetherFenced(ledgerIsFenced);
    }

    private void lookWhetherFenced(boolean ledgerIsFenced) {
        if (phase != LanePhase.CLOSED && ledgerIsFenced) {
            phase = LanePhase.FENCED;
            watch.tell();
        }
    }

    /** After each answer: when the last one has come after a failure, what was not confirmed is forgotten. */
    void afterAnswer() {
        if (phase == LanePhase.DRAINING && inFlight == 0) {
            submitted = confirmed;
            producers.forgetUnconfirmed();
            phase = LanePhase.STALLED;
            stallReason = "A write failed; the partition waits for a new ledger.";
        }
        changed.signalAll();
    }

    /**
     * @param prepareLedger runs before the first append after a failure
     */
    void resumeWhenPossible(@Nullable String shortage, boolean ledgerIsFenced, Runnable prepareLedger) {
        lookWhetherFenced(ledgerIsFenced);
        if (phase == LanePhase.DRAINING
                && System.nanoTime() - drainingSinceNanos
                        > TimeUnit.MILLISECONDS.toNanos(Limits.LEDGER_DRAIN_MAX_MILLIS)) {
            // The library owes an answer that will not come; a new opening finds what the quorum has.
            phase = LanePhase.FENCED;
        }
        if (phase == LanePhase.STALLED) {
            if (shortage == null) {
                prepareLedger.run();
                phase = LanePhase.OPEN;
            } else {
                stallReason = shortage + ".";
            }
        }
        changed.signalAll();
    }

    boolean runWhenIdle(Runnable action) {
        boolean idle = phase == LanePhase.OPEN && inFlight == 0;
        if (idle) {
            action.run();
        }
        return idle;
    }

    void close() {
        phase = LanePhase.CLOSED;
        changed.signalAll();
        watch.tell();
    }

    /** @return whether everything before {@code end} is confirmed */
    boolean awaitConfirmed(long end, Deadline deadline) {
        await(() -> confirmedEnd >= end || phase == LanePhase.FENCED || phase == LanePhase.CLOSED, deadline);
        return confirmedEnd >= end;
    }

    /** Waits for frames that were in flight when this was called. @return whether those before {@code end} were confirmed */
    boolean awaitOutcome(long end, Deadline deadline) {
        int before = failures;
        await(() -> confirmedEnd >= end || failures != before || phase == LanePhase.FENCED, deadline);
        return confirmedEnd >= end && failures == before;
    }

    /** @return whether every answer has come */
    boolean awaitIdle(Deadline deadline) {
        return await(() -> inFlight == 0, deadline);
    }

    private boolean await(BooleanSupplier until, Deadline deadline) {
        boolean interrupted = false;
        try {
            while (!until.getAsBoolean() && !deadline.passed()) {
                try {
                    changed.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            return until.getAsBoolean();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
