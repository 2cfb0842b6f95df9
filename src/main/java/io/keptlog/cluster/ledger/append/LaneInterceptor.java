// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.append;

import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.bookkeeper.mledger.ManagedLedgerConfig;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.apache.bookkeeper.mledger.intercept.ManagedLedgerInterceptor;
import org.jspecify.annotations.Nullable;

/**
 * Stands between the managed ledger's queue and the ledger, on the managed ledger's own thread and under its lock. Two duties: appends that a
 * failure has overtaken are refused before they reach a ledger (else a later frame could be stored where an earlier one is missing), and
 * a wanted roll is made by lowering the entry limit for exactly one add. At all other times the limits are out of reach, because the
 * library closes first and creates afterwards, and a failed creation fails everything that waits.
 */
public final class LaneInterceptor implements ManagedLedgerInterceptor {
    public static final int OUT_OF_REACH = Integer.MAX_VALUE;

    private final ManagedLedgerConfig config;
    private final AtomicInteger generation = new AtomicInteger();
    private volatile boolean rollWanted;

    public LaneInterceptor(ManagedLedgerConfig config) {
        this.config = config;
    }

    public int generation() {
        return generation.get();
    }

    /** From here on, appends of the present generation that have not reached a ledger never will. */
    public void overtake(int failed) {
        generation.compareAndSet(failed, failed + 1);
    }

    /** The next add is the last of its ledger. */
    public void roll() {
        rollWanted = true;
    }

    /** The ledger in use ends; only while no add is on its way to it. The next one is made for the next add. */
    public void endNow(ManagedLedgerImpl ledger) {
        config.setMaxEntriesPerLedger(1);
        ledger.rollCurrentLedgerIfFull();
        config.setMaxEntriesPerLedger(OUT_OF_REACH);
    }

    @Override
    public void beforeAddEntry(AddEntryOperation operation, int numberOfMessages) {
        var append = (PendingAppend) operation.getCtx();
        if (append.generation != generation.get()) {
            throw new IllegalStateException("overtaken by a failed append");
        }
        if (rollWanted) {
            rollWanted = false;
            config.setMaxEntriesPerLedger(1);
        }
    }

    @Override
    public @Nullable PayloadProcessorHandle processPayloadBeforeLedgerWrite(@Nullable Object context, ByteBuf data) {
        if (context instanceof PendingAppend append) {
            append.sent();
        }
        config.setMaxEntriesPerLedger(OUT_OF_REACH);
        return null;
    }

    @Override
    public void onManagedLedgerPropertiesInitialize(Map<String, String> properties) {}

    @Override
    public CompletableFuture<Void> onManagedLedgerLastLedgerInitialize(String name, LastEntryHandle last) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void onUpdateManagedLedgerInfo(Map<String, String> properties) {}
}
