// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.ledger.read.StoredFrame;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.storage.frame.FrameChain;
import io.keptlog.storage.frame.FrameHeader;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** One stamped frame between its submission and the quorum's answer. */
final class PendingAppend {
    final MemorySegment bytes;
    final FrameHeader header;
    final FrameChain after;
    /** Appends of an older generation than the lane's were overtaken by a failure and must not reach a ledger. */
    final int generation;

    private final CompletableFuture<StoredFrame> answer = new CompletableFuture<>();
    /** Whether any bookie may have seen it. */
    private volatile boolean sent;

    PendingAppend(MemorySegment bytes, FrameHeader header, FrameChain after, int generation) {
        this.bytes = bytes;
        this.header = header;
        this.after = after;
        this.generation = generation;
    }

    void sent() {
        sent = true;
    }

    boolean wasSent() {
        return sent;
    }

    void confirmed(StoredFrame frame) {
        answer.complete(frame);
    }

    void failed(KeptlogException e) {
        answer.completeExceptionally(e);
    }

    /**
     * @throws KeptlogException PRODUCE_TIMEOUT at the deadline: it goes on and may still be stored
     */
    StoredFrame await(Deadline deadline) {
        try {
            return Waits.result(answer, deadline);
        } catch (TimeoutException e) {
            throw new KeptlogException(
                    ErrorCode.PRODUCE_TIMEOUT, "The ack quorum has not answered in time; the batch may be stored.");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KeptlogException refused) {
                throw refused;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
