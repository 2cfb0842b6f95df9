// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.cluster;

import io.keptlog.domain.QuorumPolicy;
import java.util.List;

/**
 * What the loss of a bookie would mean, by what the metadata store says now.
 *
 * @param alive whether the bookie is registered
 * @param writableOthers bookies that take new ledgers besides it
 * @param streams those whose partitions could not get a new ledger without it
 * @param ledgers how many have entries on it
 * @param lastCopies of these, those with entries that no other bookie that is alive should have
 * @param underReplicated how many of them would have entries with fewer than Qw bookies alive
 */
public record DecommissionReport(
        String bookie,
        boolean alive,
        int writableOthers,
        List<StrandedStream> streams,
        long ledgers,
        List<LastCopies> lastCopies,
        long underReplicated) {

    /** A stream that needs more bookies than there would be. */
    public record StrandedStream(int streamId, String name, QuorumPolicy policy) {}

    /**
     * A ledger.
     *
     * @param owner what it belongs to, as its own label says; empty when it has none
     */
    public record LastCopies(long ledgerId, String owner) {}

    public boolean safe() {
        return streams.isEmpty() && lastCopies.isEmpty();
    }
}
