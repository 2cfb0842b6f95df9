// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.BrokerView;
import io.keptlog.domain.cluster.DecommissionReport;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.domain.cluster.PartitionReplication;
import io.keptlog.domain.cluster.RepairReport;
import io.keptlog.domain.cluster.StreamDepth;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a store of many machines can say beyond logs, catalog and offsets. A single node has none. */
public interface Replication {
    /** Live brokers, by name. */
    List<BrokerView> brokers();

    /** Bookies, by id. */
    List<BookieView> bookies();

    /**
     * Says in which rack a bookie is, for ledgers that are made from now on.
     *
     * @param rack null = in none that is known
     * @throws io.keptlog.domain.KeptlogException QUORUM_UNAVAILABLE; SYNC_FAILED: it may have been set
     */
    void setRack(String bookie, @Nullable String rack);

    /** The policy of a stream with these options. */
    QuorumPolicy policy(Map<String, String> streamOptions);

    QuorumPolicy defaultPolicy();

    /**
     * @param firstEntry and the next ones, in the newest ledger that has it; at most {@code entries}
     * @throws io.keptlog.domain.KeptlogException PARTITION_NOT_FOUND, QUORUM_UNAVAILABLE
     */
    PartitionReplication of(PartitionRef partition, long firstEntry, int entries);

    /**
     * Asks the bookies how many copies there are.
     *
     * @param entriesMax at most so many entries, in a bounded time
     * @throws io.keptlog.domain.KeptlogException PARTITION_NOT_FOUND, QUORUM_UNAVAILABLE
     */
    DepthReport depth(PartitionRef partition, EntryPlace from, int entriesMax);

    /** What this broker has seen of the copies of the partitions it owns, by stream. Asks nobody. */
    List<StreamDepth> streamDepths();

    /** Brings copies that are missing back, as far as that is possible now. Arguments and refusals as {@link #depth}. */
    RepairReport repair(PartitionRef partition, EntryPlace from, int entriesMax);

    /**
     * What the loss of a bookie would mean.
     *
     * @throws io.keptlog.domain.KeptlogException NOT_FOUND, QUORUM_UNAVAILABLE
     */
    DecommissionReport decommission(String bookie);
}
