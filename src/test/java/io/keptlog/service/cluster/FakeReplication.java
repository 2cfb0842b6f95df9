// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.cluster;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.BrokerView;
import io.keptlog.domain.cluster.DecommissionReport;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.domain.cluster.LedgerReplication;
import io.keptlog.domain.cluster.PartitionReplication;
import io.keptlog.domain.cluster.RepairReport;
import io.keptlog.domain.cluster.StreamDepth;
import io.keptlog.storage.Replication;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster for tests of what is said about it: bookies and ledgers as the test puts them there. */
public final class FakeReplication implements Replication {
    public final List<BookieView> bookies = new ArrayList<>();
    /** Of every partition, oldest first. */
    public final List<QuorumPolicy> ledgers = new ArrayList<>();

    @Override
    public List<BrokerView> brokers() {
        return List.of(new BrokerView("broker", "127.0.0.1:1", true));
    }

    @Override
    public List<BookieView> bookies() {
        return List.copyOf(bookies);
    }

    @Override
    public void setRack(String bookie, @Nullable String rack) {
        bookies.replaceAll(b -> b.id().equals(bookie)
                ? new BookieView(b.id(), b.writable(), b.journalSync(), b.signals(), null, 0, List.of(), rack)
                : b);
    }

    @Override
    public QuorumPolicy policy(Map<String, String> streamOptions) {
        return streamOptions.isEmpty()
                ? QuorumPolicy.DEFAULT
                : new QuorumPolicy(
                        Integer.parseInt(streamOptions.get("ensemble_size")),
                        Integer.parseInt(streamOptions.get("write_quorum")),
                        Integer.parseInt(streamOptions.get("ack_quorum")));
    }

    @Override
    public QuorumPolicy defaultPolicy() {
        return QuorumPolicy.DEFAULT;
    }

    @Override
    public PartitionReplication of(PartitionRef partition, long firstEntry, int entries) {
        var found = new ArrayList<LedgerReplication>();
        for (QuorumPolicy policy : ledgers) {
            found.add(new LedgerReplication(found.size(), policy, 1, false, new TreeMap<>()));
        }
        return new PartitionReplication(ledgers.getLast(), found, List.of(), null);
    }

    @Override
    public DepthReport depth(PartitionRef partition, EntryPlace from, int entriesMax) {
        return new DepthReport(0, List.of(), null);
    }

    @Override
    public List<StreamDepth> streamDepths() {
        return List.of();
    }

    @Override
    public RepairReport repair(PartitionRef partition, EntryPlace from, int entriesMax) {
        return new RepairReport(0, 0, List.of(), depth(partition, from, entriesMax));
    }

    @Override
    public DecommissionReport decommission(String bookie) {
        return new DecommissionReport(bookie, true, 0, List.of(), 0, List.of(), 0);
    }
}
