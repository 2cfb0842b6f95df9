// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import io.keptlog.domain.QuorumPolicy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One ledger of a partition.
 *
 * @param policy what it was made with; null when BookKeeper does not know the ledger: its entries are lost
 * @param ensembles first entry → bookies from there on; more than one after a bookie was replaced
 */
public record LedgerReplication(
        long ledgerId, @Nullable QuorumPolicy policy, long entries, boolean open, Map<Long, List<String>> ensembles) {}
