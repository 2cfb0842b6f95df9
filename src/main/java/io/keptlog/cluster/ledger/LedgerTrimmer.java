// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.Deadline;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.mledger.AsyncCallbacks;
import org.apache.bookkeeper.mledger.ManagedCursor;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.PositionFactory;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.apache.pulsar.common.api.proto.CommandSubscribe.InitialPosition;

/**
 * Deletes the oldest ledgers. The library trims by two rules that must both agree: what is behind the slowest durable cursor, and what
 * retention no longer wants. Retention says "keep everything" at all times but during a trim, and the cursor is only ever moved here: so
 * nothing goes that was not asked for, also when the cursor was never made.
 */
final class LedgerTrimmer {
    private static final String CURSOR = "keptlog-trim";

    private final ManagedLedgerImpl ledger;

    LedgerTrimmer(ManagedLedgerImpl ledger) {
        this.ledger = ledger;
    }

    static void keepEverything(ManagedLedgerConfig config) {
        config.setRetentionTime(-1, TimeUnit.MILLISECONDS);
        config.setRetentionSizeInMB(-1);
    }

    /** Remembers the tail first: after the trim the entries may be gone that say where the log ends. */
    synchronized void trimThrough(long ledgerId, long entries, TrimmedTail tail, Deadline deadline)
            throws ExecutionException, TimeoutException {
        remember(tail.properties(), deadline);
        ManagedCursor cursor = cursor(deadline);
        var moved = new CompletableFuture<Boolean>();
        cursor.asyncMarkDelete(
                PositionFactory.create(ledgerId, entries - 1),
                new AsyncCallbacks.MarkDeleteCallback() {
                    @Override
                    public void markDeleteComplete(Object context) {
                        moved.complete(true);
                    }

                    @Override
                    public void markDeleteFailed(ManagedLedgerException e, Object context) {
                        moved.completeExceptionally(e);
                    }
                },
                null);
        Waits.result(moved, deadline);
        ManagedLedgerConfig config = ledger.getConfig();
        try {
            config.setRetentionTime(0, TimeUnit.MILLISECONDS);
            config.setRetentionSizeInMB(0);
            var trimmed = new CompletableFuture<Void>();
            ledger.trimConsumedLedgersInBackground(trimmed);
            Waits.result(trimmed, deadline);
        } finally {
            keepEverything(config);
        }
    }

    private void remember(Map<String, String> properties, Deadline deadline)
            throws ExecutionException, TimeoutException {
        var stored = new CompletableFuture<Boolean>();
        ledger.asyncSetProperties(
                properties,
                new AsyncCallbacks.UpdatePropertiesCallback() {
                    @Override
                    public void updatePropertiesComplete(Map<String, String> now, Object context) {
                        stored.complete(true);
                    }

                    @Override
                    public void updatePropertiesFailed(ManagedLedgerException e, Object context) {
                        stored.completeExceptionally(e);
                    }
                },
                null);
        Waits.result(stored, deadline);
    }

    private ManagedCursor cursor(Deadline deadline) throws ExecutionException, TimeoutException {
        var opened = new CompletableFuture<ManagedCursor>();
        ledger.asyncOpenCursor(
                CURSOR,
                InitialPosition.Earliest,
                new AsyncCallbacks.OpenCursorCallback() {
                    @Override
                    public void openCursorComplete(ManagedCursor cursor, Object context) {
                        opened.complete(cursor);
                    }

                    @Override
                    public void openCursorFailed(ManagedLedgerException e, Object context) {
                        opened.completeExceptionally(e);
                    }
                },
                null);
        return Waits.result(opened, deadline);
    }
}
