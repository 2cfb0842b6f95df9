// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import io.keptlog.domain.PartitionSpec;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** A partition in this broker's hands, as the keeper of its copies sees it. Thread-safe. */
public interface KeptLog {
    PartitionSpec spec();

    /** Whether missing copies are completed in the background, or only told of. */
    boolean guaranteed();

    /** Ledger id → confirmed entries, of those that have any. */
    NavigableMap<Long, Long> entries();

    /** The ledger that takes appends; null when there is none. */
    @Nullable
    Long openLedger();

    /** Messages of the partition. */
    long messages();

    /** Ends the ledger in use when another one can be made, so that its copies can be completed. */
    void endLedger();
}
