// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.api.LedgerMetadata;

/** Reads what BookKeeper's metadata says of ledgers. */
public final class LedgerViews {
    private LedgerViews() {}

    public static List<LedgerView> of(
            LedgerClient client, Collection<Long> ledgerIds, Map<Long, Long> entries, Deadline deadline) {
        var views = new ArrayList<LedgerView>();
        for (long ledgerId : ledgerIds) {
            try {
                LedgerMetadata metadata = client.metadata(ledgerId, deadline);
                views.add(new LedgerView(
                        ledgerId,
                        client.quorum(ledgerId, deadline),
                        entries.getOrDefault(ledgerId, 0L),
                        !metadata.isClosed(),
                        LedgerClient.ensembles(metadata)));
            } catch (ExecutionException | TimeoutException e) {
                throw new KeptlogException(
                        ErrorCode.QUORUM_UNAVAILABLE,
                        "Ledger " + ledgerId + " cannot be looked up now: " + Waits.unwrap(e));
            }
        }
        return List.copyOf(views);
    }
}
