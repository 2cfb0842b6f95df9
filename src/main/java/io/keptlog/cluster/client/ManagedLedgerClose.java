// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import io.keptlog.domain.Deadline;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.mledger.AsyncCallbacks;
import org.apache.bookkeeper.mledger.ManagedLedger;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets go of a managed ledger that was opened when nobody waited for it any more. Nothing depends on whether that succeeds. */
final class ManagedLedgerClose implements AsyncCallbacks.CloseCallback {
    private static final Logger LOG = LoggerFactory.getLogger(ManagedLedgerClose.class);

    private final String name;

    private ManagedLedgerClose(String name) {
        this.name = name;
    }

    /** Waits for an opening; one that comes after the deadline would be kept by the library as an old answer to a later question. */
    static ManagedLedger whenLate(CompletableFuture<ManagedLedger> opening, Deadline deadline)
            throws ExecutionException, TimeoutException {
        try {
            return Waits.result(opening, deadline);
        } catch (TimeoutException e) {
            var ignored = opening.thenAccept(late -> late.asyncClose(new ManagedLedgerClose(late.getName()), null));
            throw e;
        }
    }

    @Override
    public void closeComplete(Object context) {
        LOG.debug("{} was opened too late and is closed", name);
    }

    @Override
    public void closeFailed(ManagedLedgerException e, Object context) {
        LOG.info("{} was opened too late and is left open: {}", name, e.toString());
    }
}
