// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.client;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.LedgerMetadata;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.bookkeeper.mledger.ManagedLedgerException;
import org.apache.bookkeeper.mledger.ManagedLedgerInfo;

/**
 * Reads what BookKeeper's metadata says of ledgers. Fences nobody. Throws QUORUM_UNAVAILABLE when the metadata store does not answer; a
 * ledger that it does not know is described as missing.
 */
public final class LedgerViews {
    private LedgerViews() {}

    public static List<LedgerView> of(
            LedgerClient client, Collection<Long> ledgerIds, Map<Long, Long> entries, Deadline deadline) {
        var views = new ArrayList<LedgerView>();
        for (long ledgerId : ledgerIds) {
            views.add(of(client, ledgerId, entries.getOrDefault(ledgerId, 0L), deadline));
        }
        return List.copyOf(views);
    }

    private static LedgerView of(LedgerClient client, long ledgerId, long entries, Deadline deadline) {
        try {
            LedgerMetadata metadata = client.metadata(ledgerId, deadline);
            var policy = new QuorumPolicy(
                    metadata.getEnsembleSize(), metadata.getWriteQuorumSize(), metadata.getAckQuorumSize());
            return new LedgerView(ledgerId, policy, entries, !metadata.isClosed(), LedgerClient.ensembles(metadata));
        } catch (ExecutionException e) {
            if (isMissing(Waits.unwrap(e))) {
                return LedgerView.missing(ledgerId, entries);
            }
            throw unavailable("Ledger " + ledgerId, e);
        } catch (TimeoutException e) {
            throw unavailable("Ledger " + ledgerId, e);
        }
    }

    private static boolean isMissing(Throwable cause) {
        return cause instanceof BKException.BKNoSuchLedgerExistsException
                || cause instanceof BKException.BKNoSuchLedgerExistsOnMetadataServerException;
    }

    private static KeptlogException unavailable(String what, Exception cause) {
        return KeptlogException.retryable(
                ErrorCode.QUORUM_UNAVAILABLE, what + " cannot be looked up now: " + Waits.unwrap(cause), 1);
    }

    /**
     * The ledgers of a managed ledger that nobody may be able to open; none when its list is gone. What an open one has confirmed is at
     * least as much as is said here.
     */
    public static List<LedgerView> stored(LedgerClient client, String name, Deadline deadline) {
        ManagedLedgerInfo info;
        try {
            info = client.info(name, deadline);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof ManagedLedgerException.MetadataNotFoundException
                    || e.getCause() instanceof ManagedLedgerException.ManagedLedgerNotFoundException) {
                return List.of();
            }
            throw unavailable(name, e);
        } catch (TimeoutException e) {
            throw unavailable(name, e);
        }
        var views = new ArrayList<LedgerView>();
        for (ManagedLedgerInfo.LedgerInfo one : info.ledgers) {
            long entries = one.entries == null ? 0 : one.entries;
            LedgerView view = of(client, one.ledgerId, entries, deadline);
            views.add(
                    entries > 0 || view.policy() == null
                            ? view
                            : new LedgerView(
                                    view.ledgerId(),
                                    view.policy(),
                                    confirmed(client, one.ledgerId, deadline),
                                    view.open(),
                                    view.ensembles()));
        }
        return List.copyOf(views);
    }

    /** 0 when no bookie says. */
    private static long confirmed(LedgerClient client, long ledgerId, Deadline deadline) {
        try {
            ReadHandle handle = Waits.result(client.openForRead(ledgerId), deadline);
            long confirmed = handle.getLastAddConfirmed() + 1;
            var ignored = handle.closeAsync();
            return confirmed;
        } catch (ExecutionException | TimeoutException e) {
            return 0;
        }
    }
}
