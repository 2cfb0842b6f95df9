// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import io.keptlog.domain.QuorumPolicy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One ledger of a partition as BookKeeper's metadata describes it.
 *
 * @param policy what it was made with; null when BookKeeper does not know the ledger: its entries are lost
 * @param entries those that are confirmed
 * @param ensembles first entry → bookies from there on; more than one after a bookie was replaced
 */
public record LedgerView(
        long ledgerId, @Nullable QuorumPolicy policy, long entries, boolean open, Map<Long, List<String>> ensembles) {
    static LedgerView missing(long ledgerId, long entries) {
        return new LedgerView(ledgerId, null, entries, false, Map.of());
    }

    /** The bookies that an entry was written to: {@code e mod E} and the Qw − 1 that follow. */
    public List<String> bookiesOf(long entryId) {
        List<String> ensemble = List.of();
        for (Map.Entry<Long, List<String>> from : ensembles.entrySet()) {
            if (from.getKey() <= entryId) {
                ensemble = from.getValue();
            }
        }
        List<String> bookies = ensemble;
        return policy == null
                ? List.of()
                : policy.writeSet(entryId).stream().map(bookies::get).toList();
    }
}
