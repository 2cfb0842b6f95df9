// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.metadata.Brokers;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.message.Slice;

/**
 * Whether what this broker says from its memory is still true. It is asked before an answer, so that no work is done for nothing, and again after
 * it: between the two the process may have been frozen for longer than its session lasts. Thread-safe.
 */
final class Lease {
    private final Brokers brokers;

    Lease(Brokers brokers) {
        this.brokers = brokers;
    }

    boolean holds() {
        return brokers.leaseHolds();
    }

    /**
     * @throws KeptlogException NOT_PRIMARY: another broker may know better
     */
    void require() {
        if (!holds()) {
            throw KeptlogException.retryable(
                    ErrorCode.NOT_PRIMARY, "This broker's session with the metadata store is in doubt.", 1);
        }
    }

    /** An answer that another owner could contradict; an answer that must not be given is let go. */
    <T> T current(T answer) {
        try {
            require();
        } catch (KeptlogException e) {
            if (answer instanceof Slice slice) {
                slice.close();
            }
            throw e;
        }
        return answer;
    }

    /** A refusal that was decided without asking a bookie counts only as long as the lease holds. */
    KeptlogException current(KeptlogException refusal) {
        boolean fromMemory =
                switch (refusal.code()) {
                    case SEQUENCE_GAP, PRODUCER_FENCED, CONSUMER_OFFSET_NOT_FOUND -> true;
                    default -> false;
                };
        return fromMemory && !holds() ? Ownership.notPrimary() : refusal;
    }
}
