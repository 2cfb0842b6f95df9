// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.offsets;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.LedgerEntry;
import org.apache.bookkeeper.client.api.ReadHandle;

/** Reads what a former owner has left, after its ledger is fenced: it can add nothing more. Stateless. */
final class OffsetRecovery {
    private static final int READ_ENTRIES = 500;

    private OffsetRecovery() {}

    /**
     * @throws KeptlogException QUORUM_UNAVAILABLE: too few of its bookies answer
     */
    static void read(LedgerClient client, long ledgerId, Deadline deadline, Map<ConsumerKey, Long> into) {
        try {
            ReadHandle handle = Waits.result(client.openLedger(ledgerId, true), deadline);
            long last = handle.getLastAddConfirmed();
            for (long at = 0; at <= last; at += READ_ENTRIES) {
                long to = Math.min(last, at + READ_ENTRIES - 1);
                try (LedgerEntries read = Waits.result(handle.readAsync(at, to), deadline)) {
                    for (LedgerEntry entry : read) {
                        OffsetRecord.apply(entry.getEntryBytes(), into);
                    }
                }
            }
            var ignored = handle.closeAsync();
        } catch (ExecutionException | TimeoutException e) {
            throw unavailable("The consumer offsets cannot be read now", e);
        }
    }

    static KeptlogException unavailable(String what, Exception e) {
        return new KeptlogException(
                ErrorCode.QUORUM_UNAVAILABLE, what + ": " + Waits.unwrap(e).getMessage(), null, 1, Map.of(), e);
    }
}
