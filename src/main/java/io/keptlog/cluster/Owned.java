// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.ledger.ReadOnlyLog;
import io.keptlog.cluster.offsets.OffsetLedger;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.PartitionLog;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A partition in this broker's hands. Its offsets are opened with the first request for them. Thread-safe. */
final class Owned {
    private final PartitionSpec spec;
    private final PartitionLog log;
    private final Supplier<OffsetLedger> openOffsets;
    /** One maintenance at a time: it may wait for bookies. */
    final AtomicBoolean maintaining = new AtomicBoolean();

    private @Nullable OffsetLedger offsets;
    private boolean closed;

    Owned(PartitionSpec spec, PartitionLog log, Supplier<OffsetLedger> openOffsets) {
        this.spec = spec;
        this.log = log;
        this.openOffsets = openOffsets;
    }

    PartitionSpec spec() {
        return spec;
    }

    PartitionLog log() {
        return log;
    }

    /** The appendable log, or null while the partition is read-only. */
    @Nullable
    LedgerLog ledgerLog() {
        return log instanceof LedgerLog open ? open : null;
    }

    synchronized OffsetLedger offsets() {
        if (closed) {
            throw Ownership.notPrimary();
        }
        if (offsets != null && offsets.broken()) {
            offsets.close();
            offsets = null;
        }
        if (offsets == null) {
            offsets = openOffsets.get();
        }
        return offsets;
    }

    /** @return whether everything in flight was answered */
    boolean drain(Deadline deadline) {
        LedgerLog open = ledgerLog();
        return open == null || open.drain(deadline);
    }

    synchronized void close() {
        closed = true;
        if (offsets != null) {
            offsets.close();
        }
        switch (log) {
            case LedgerLog open -> open.close();
            case ReadOnlyLog reading -> reading.close();
            default -> throw new IllegalStateException(log.toString());
        }
    }
}
