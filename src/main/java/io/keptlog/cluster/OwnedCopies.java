// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.depth.KeptLog;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.ledger.ReadOnlyLog;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.LogStatus;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A partition in this broker's hands for the keeper of its copies. */
record OwnedCopies(Owned held, boolean guaranteed) implements KeptLog {
    @Override
    public PartitionSpec spec() {
        return held.spec();
    }

    @Override
    public NavigableMap<Long, Long> entries() {
        return switch (held.log()) {
            case LedgerLog log -> log.entries();
            case ReadOnlyLog log -> log.entries();
            default -> new TreeMap<>();
        };
    }

    @Override
    public @Nullable Long openLedger() {
        LedgerLog log = held.ledgerLog();
        return log == null ? null : log.openLedger();
    }

    @Override
    public long messages() {
        LogStatus status = held.log().status();
        return status.endOffset() - status.firstOffset();
    }

    @Override
    public void endLedger() {
        LedgerLog log = held.ledgerLog();
        if (log != null) {
            log.endLedger();
        }
    }
}
