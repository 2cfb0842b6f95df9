// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import org.apache.bookkeeper.mledger.ManagedLedgerException;

/** What is told of an append that failed: whether the batch may be stored all the same decides whether it may be sent again. */
final class AppendFailures {
    private AppendFailures() {}

    static KeptlogException unknown(String why) {
        return new KeptlogException(
                ErrorCode.PRODUCE_TIMEOUT, "The write failed (" + why + "); the batch may be stored.");
    }

    static KeptlogException notStored(ManagedLedgerException cause) {
        return KeptlogException.retryable(
                cause instanceof ManagedLedgerException.ManagedLedgerFencedException
                        ? ErrorCode.NOT_PRIMARY
                        : ErrorCode.QUORUM_UNAVAILABLE,
                "No ledger could take the batch (" + cause.getMessage() + "); it is not stored.",
                1);
    }
}
