// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.depth.CopyKeeper;
import io.keptlog.cluster.depth.CopyRepair;
import io.keptlog.cluster.depth.DecommissionCheck;
import io.keptlog.cluster.depth.DepthAudit;
import io.keptlog.cluster.metadata.Brokers;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.BrokerView;
import io.keptlog.domain.cluster.DecommissionReport;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.domain.cluster.EntryReplication;
import io.keptlog.domain.cluster.KeptDepth;
import io.keptlog.domain.cluster.LedgerReplication;
import io.keptlog.domain.cluster.PartitionReplication;
import io.keptlog.domain.cluster.RepairReport;
import io.keptlog.domain.cluster.StreamDepth;
import io.keptlog.storage.Replication;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What this broker can say of brokers, bookies and ledgers. Asks the metadata store, or tells what is known. Thread-safe. */
final class ClusterReplication implements Replication {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterReplication.class);
    private static final int KEPT_WAIT_MILLIS = 2_000;

    private final ClusterLogs logs;
    private final Brokers brokers;
    private final Policies policies;
    private final ClusterBookies bookies;
    private final DepthAudit audit;
    private final CopyRepair repair;
    private final DecommissionCheck decommission;
    private final CopyKeeper keeper;

    ClusterReplication(
            ClusterLogs logs,
            Brokers brokers,
            Policies policies,
            LedgerClient client,
            ClusterBookies bookies,
            DepthAudit audit,
            CopyKeeper keeper) {
        this.logs = logs;
        this.brokers = brokers;
        this.policies = policies;
        this.bookies = bookies;
        this.audit = audit;
        this.repair = new CopyRepair(client, audit);
        this.decommission = new DecommissionCheck(client);
        this.keeper = keeper;
    }

    @Override
    public List<BrokerView> brokers() {
        return brokers.live().stream()
                .map(b -> new BrokerView(
                        b.name(), b.httpAddress(), b.id().equals(brokers.self().id())))
                .toList();
    }

    @Override
    public List<BookieView> bookies() {
        return bookies.list();
    }

    @Override
    public void setRack(String bookie, @Nullable String rack) {
        bookies.setRack(bookie, rack);
    }

    @Override
    public QuorumPolicy policy(Map<String, String> streamOptions) {
        return policies.of(streamOptions);
    }

    @Override
    public QuorumPolicy defaultPolicy() {
        return policies.of(Map.of());
    }

    @Override
    public PartitionReplication of(PartitionRef partition, long firstEntry, int entries) {
        RoutedLog log = log(partition);
        List<LedgerView> ledgers = log.ledgers();
        return new PartitionReplication(
                policies.of(partition),
                ledgers.stream()
                        .map(l -> new LedgerReplication(l.ledgerId(), l.policy(), l.entries(), l.open(), l.ensembles()))
                        .toList(),
                striping(ledgers, firstEntry, entries),
                kept(log));
    }

    private @Nullable KeptDepth kept(RoutedLog log) {
        try {
            return log.keptDepth(keeper::kept, Deadline.inMillis(KEPT_WAIT_MILLIS));
        } catch (KeptlogException e) {
            LOG.debug("what is known of the copies of {}: {}", log.spec().ref(), e.reason());
            return null;
        }
    }

    @Override
    public List<StreamDepth> streamDepths() {
        return keeper.streams();
    }

    private RoutedLog log(PartitionRef partition) {
        RoutedLog log = logs.findRouted(partition);
        if (log == null) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND, "Partition " + partition + " is not there.", "partition_id");
        }
        return log;
    }

    @Override
    public DepthReport depth(PartitionRef partition, EntryPlace from, int entriesMax) {
        RoutedLog log = log(partition);
        return audit.audit(
                log.ledgers(), log.spec().incarnation(), from, entriesMax, Deadline.inMillis(Limits.DEPTH_MAX_MILLIS));
    }

    @Override
    public RepairReport repair(PartitionRef partition, EntryPlace from, int entriesMax) {
        RoutedLog log = log(partition);
        return repair.repair(
                log::ledgers, log.spec().incarnation(), from, entriesMax, Deadline.inMillis(Limits.DEPTH_MAX_MILLIS));
    }

    @Override
    public DecommissionReport decommission(String bookie) {
        return decommission.check(bookie, policies.all(), Deadline.inMillis(Limits.DEPTH_MAX_MILLIS));
    }

    private static List<EntryReplication> striping(List<LedgerView> ledgers, long firstEntry, int entries) {
        LedgerView holder = null;
        for (LedgerView ledger : ledgers) {
            if (ledger.entries() > firstEntry) {
                holder = ledger;
            }
        }
        var found = new ArrayList<EntryReplication>();
        if (holder != null) {
            for (long e = firstEntry; e < firstEntry + entries && e < holder.entries(); e++) {
                found.add(new EntryReplication(holder.ledgerId(), e, holder.bookiesOf(e)));
            }
        }
        return List.copyOf(found);
    }
}
