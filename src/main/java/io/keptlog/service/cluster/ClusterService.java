// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.cluster;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.BrokerView;
import io.keptlog.domain.cluster.DecommissionReport;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.domain.cluster.PartitionReplication;
import io.keptlog.domain.cluster.RepairReport;
import io.keptlog.service.catalog.Lookup;
import io.keptlog.service.option.StreamOptions;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.Replication;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Quorum policies, brokers, bookies, and where a partition is. Keeps no state. A policy that was set is durable and concerns the next
 * ledger of each partition; ledgers in use keep theirs. On one node: PRECONDITION_FAILED.
 */
public final class ClusterService {
    private static final Pattern RACK = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    /** As BookKeeper allows it, and no longer than needed. */
    private static final Pattern BOOKIE = Pattern.compile("[A-Za-z0-9._:-]{1,255}");

    private final Catalog catalog;
    private final Optional<Replication> replication;

    /**
     * @param replication empty on one node
     */
    public ClusterService(Catalog catalog, Optional<Replication> replication) {
        this.catalog = catalog;
        this.replication = replication;
    }

    private Replication cluster() {
        return replication.orElseThrow(() -> new KeptlogException(
                ErrorCode.PRECONDITION_FAILED,
                "This is a single node: quorums belong to a cluster (keptlog.cluster.metadata-uri)."));
    }

    /** Empty on one node. */
    public List<BrokerView> brokers() {
        return replication.map(Replication::brokers).orElse(List.of());
    }

    public List<BookieView> bookies() {
        return cluster().bookies();
    }

    /**
     * Says in which rack a bookie is; ledgers that are made from now on go by it.
     *
     * @param rack null = in none that is known
     * @throws KeptlogException INVALID_FORMAT, PRECONDITION_FAILED, QUORUM_UNAVAILABLE
     */
    public void setRack(String bookie, @Nullable String rack) {
        Replication cluster = cluster();
        if (!BOOKIE.matcher(bookie).matches()) {
            throw new KeptlogException(
                    ErrorCode.INVALID_FORMAT,
                    "A bookie is named as GET /bookies names it, like 10.0.0.1:3181.",
                    "bookie_id");
        }
        if (rack != null && !RACK.matcher(rack).matches()) {
            throw new KeptlogException(
                    ErrorCode.INVALID_FORMAT,
                    "A rack has 1 to 64 letters, digits, dots, hyphens and underscores.",
                    "rack");
        }
        cluster.setRack(bookie, rack == null ? null : "/" + rack);
    }

    /** What the stream's policy costs; empty on one node. */
    public List<QuorumPolicy.Warning> warnings(Map<String, String> streamOptions) {
        return replication.map(r -> r.policy(streamOptions).warnings()).orElse(List.of());
    }

    /** As the other one, by the stream's name or number; empty for a stream that is not there. */
    public List<QuorumPolicy.Warning> warnings(Identifier stream) {
        StreamEntry entry = catalog.state().findStream(stream);
        return entry == null ? List.of() : warnings(entry.options());
    }

    /** The stream's own policy; empty when it inherits the server's. */
    public Optional<QuorumPolicy> ownPolicy(Identifier stream) {
        Replication cluster = cluster();
        StreamEntry entry = Lookup.stream(catalog.state(), stream, Lookup.Absent.PLAIN);
        boolean named = entry.options().containsKey(StreamOptions.ENSEMBLE_SIZE)
                || entry.options().containsKey(StreamOptions.WRITE_QUORUM)
                || entry.options().containsKey(StreamOptions.ACK_QUORUM);
        return named ? Optional.of(cluster.policy(entry.options())) : Optional.empty();
    }

    /** Sets all three. */
    public void setPolicy(Identifier stream, int ensembleSize, int writeQuorum, int ackQuorum) {
        cluster();
        if (!QuorumPolicy.holds(ensembleSize, writeQuorum, ackQuorum)) {
            throw new KeptlogException(
                    ErrorCode.PRECONDITION_FAILED,
                    "bookkeeperEnsemble >= bookkeeperWriteQuorum >= bookkeeperAckQuorum >= 1 does not hold: "
                            + ensembleSize + ", " + writeQuorum + ", " + ackQuorum + ".");
        }
        change(
                stream,
                Map.of(
                        StreamOptions.ENSEMBLE_SIZE, Integer.toString(ensembleSize),
                        StreamOptions.WRITE_QUORUM, Integer.toString(writeQuorum),
                        StreamOptions.ACK_QUORUM, Integer.toString(ackQuorum)));
    }

    /** Back to what the server's policy is. */
    public void removePolicy(Identifier stream) {
        cluster();
        change(stream, Map.of());
    }

    private void change(Identifier stream, Map<String, String> policy) {
        catalog.change(state -> {
            StreamEntry entry = Lookup.stream(state, stream, Lookup.Absent.PLAIN);
            var options = new TreeMap<>(entry.options());
            options.remove(StreamOptions.ENSEMBLE_SIZE);
            options.remove(StreamOptions.WRITE_QUORUM);
            options.remove(StreamOptions.ACK_QUORUM);
            options.putAll(policy);
            return new CatalogChange.StreamUpdated(entry.id(), entry.name(), options);
        });
    }

    /**
     * Where a partition's messages are.
     *
     * @throws KeptlogException NOT_FOUND, PARTITION_NOT_FOUND, PRECONDITION_FAILED, QUORUM_UNAVAILABLE
     */
    public PartitionReplication replication(
            Identifier stream, Identifier topic, long partitionId, long firstEntry, int entries) {
        Replication cluster = cluster();
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.PLAIN);
        return cluster.of(Lookup.partition(entry, partitionId).ref(), firstEntry, entries);
    }

    /**
     * What the loss of a bookie would mean.
     *
     * @throws KeptlogException NOT_FOUND, PRECONDITION_FAILED, QUORUM_UNAVAILABLE
     */
    public DecommissionReport decommission(String bookie) {
        return cluster().decommission(bookie);
    }

    /**
     * How many copies there are, as the bookies say.
     *
     * @throws KeptlogException as {@link #replication}
     */
    public DepthReport depth(Identifier stream, Identifier topic, long partitionId, EntryPlace from, int entries) {
        Replication cluster = cluster();
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.PLAIN);
        return cluster.depth(Lookup.partition(entry, partitionId).ref(), from, entries);
    }

    /**
     * Brings missing copies back, as far as that is possible now.
     *
     * @throws KeptlogException as {@link #replication}
     */
    public RepairReport repair(Identifier stream, Identifier topic, long partitionId, EntryPlace from, int entries) {
        Replication cluster = cluster();
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.PLAIN);
        return cluster.repair(Lookup.partition(entry, partitionId).ref(), from, entries);
    }
}
