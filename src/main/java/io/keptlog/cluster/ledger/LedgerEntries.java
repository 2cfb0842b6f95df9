// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import io.keptlog.cluster.ledger.read.OffsetLocator;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.bookkeeper.mledger.impl.ManagedLedgerImpl;
import org.apache.bookkeeper.mledger.proto.MLDataFormats.ManagedLedgerInfo.LedgerInfo;

/** How many entries the ledgers of a partition have. */
final class LedgerEntries {
    private LedgerEntries() {}

    /** Ledger id → confirmed entries; the library counts those of the ledger in use when it has ended. */
    static NavigableMap<Long, Long> confirmed(ManagedLedgerImpl ledger, OffsetLocator.Place confirmed) {
        var entries = new TreeMap<Long, Long>();
        for (LedgerInfo info : ledger.getLedgersInfo().values()) {
            long count = info.getLedgerId() == confirmed.ledgerId() && info.getEntries() == 0
                    ? confirmed.entryId() + 1
                    : info.getEntries();
            if (count > 0) {
                entries.put(info.getLedgerId(), count);
            }
        }
        return entries;
    }
}
