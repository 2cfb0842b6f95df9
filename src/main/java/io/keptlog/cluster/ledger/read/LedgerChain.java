// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger.read;

import java.util.NavigableMap;

/** Which ledgers a partition has now, and how many entries of each count. */
public interface LedgerChain {
    /**
     * Ledger id → entries, oldest first, empty ones left out. For a closed ledger this is the number the managed ledger has recorded:
     * entries beyond it were added again elsewhere or never confirmed.
     */
    NavigableMap<Long, Long> entries();
}
