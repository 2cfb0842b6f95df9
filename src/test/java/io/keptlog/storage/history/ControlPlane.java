// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.catalog.TopicOptions;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;

/** The one client that makes and removes topics and partitions, in the steps of the service. */
final class ControlPlane {
    private static final int TOPICS_MAX = 3;
    private static final int PARTITIONS_MAX = 3;
    private static final int STREAM = 0;

    private final Client client;
    private final Random random;
    private boolean unknown;

    ControlPlane(Client client) {
        this.client = client;
        this.random = client.random;
    }

    void change() {
        CatalogState state = client.node.catalog.state();
        StreamEntry stream = state.streams().get(STREAM);
        if (unknown) {
            return; // A change without an answer: the catalog is fenced.
        }
        if (stream == null) {
            make(s -> new CatalogChange.StreamCreated(STREAM, 1, "stream", Map.of()));
            return;
        }
        List<TopicEntry> topics = List.copyOf(stream.topics().values());
        int dice = random.nextInt(8);
        if (dice == 0) {
            sweep();
        } else if (topics.isEmpty() || (dice < 4 && topics.size() < TOPICS_MAX)) {
            create();
        } else {
            change(topics.get(random.nextInt(topics.size())), dice);
        }
    }

    private void change(TopicEntry topic, int dice) {
        int partitions = topic.partitions().size();
        if (dice == 4) {
            make(s -> new CatalogChange.TopicDeleted(STREAM, topic.id()));
            sweepOrNot();
        } else if (dice == 5) {
            make(s -> new CatalogChange.TopicsPurged(STREAM, Map.of(topic.id(), entries(0, partitions))));
            sweepOrNot();
        } else if (dice == 6 && partitions < PARTITIONS_MAX) {
            make(s -> new CatalogChange.PartitionsAdded(STREAM, topic.id(), entries(partitions, 1)));
        } else if (partitions > 1) {
            make(s -> new CatalogChange.PartitionsRemoved(STREAM, topic.id(), 1));
            sweepOrNot();
        }
    }

    /** The first topics of a history. */
    void setUp() {
        make(s -> new CatalogChange.StreamCreated(STREAM, 1, "stream", Map.of()));
        create();
        create();
    }

    private void create() {
        Durability durability = random.nextBoolean() ? Durability.PERSISTED : Durability.REPLICATED;
        Durability offsets = random.nextBoolean() ? Durability.PERSISTED : Durability.REPLICATED;
        long segment = 4096L * (1 + random.nextInt(3));
        var options = new TopicOptions(
                Compression.NONE,
                TopicOptions.NEVER,
                TopicOptions.UNLIMITED,
                segment,
                durability,
                offsets,
                random.nextBoolean() ? 8 : 1024,
                1 << 20,
                random.nextInt(4) == 0,
                Set.of());
        int partitions = 1 + random.nextInt(2);
        make(s -> {
            int id = s.streams().get(STREAM) == null
                    ? 0
                    : s.streams().get(STREAM).nextTopicId();
            return new CatalogChange.TopicCreated(STREAM, id, 1, "topic-" + id, options, entries(0, partitions));
        });
    }

    private List<PartitionEntry> entries(int first, int count) {
        var entries = new ArrayList<PartitionEntry>();
        for (int i = 0; i < count; i++) {
            entries.add(new PartitionEntry(first + i, 1, random.nextLong() | 1));
        }
        return entries;
    }

    /** Partitions that begin with the change. */
    private static List<PartitionSpec> born(CatalogState before, CatalogChange change) {
        List<PartitionSpec> known = Node.specs(before);
        return Node.specs(before.apply(change)).stream()
                .filter(spec -> !known.contains(spec))
                .toList();
    }

    private <C extends CatalogChange> void make(Function<CatalogState, C> decide) {
        var born = new ArrayList<PartitionSpec>();
        try {
            client.node.catalog.change(
                    state -> {
                        C change = decide.apply(state);
                        client.model.changing(state, change);
                        born.addAll(born(state, change));
                        return change;
                    },
                    change -> client.node.logs.prepare(born));
        } catch (KeptlogException e) {
            client.explain(e, null);
            unknown = e.code() == ErrorCode.SYNC_FAILED;
            if (!unknown) {
                client.node.logs.discard(born);
                client.model.notChanged();
            }
            return;
        } catch (UncheckedIOException e) {
            if (!client.faults.io()) {
                throw e;
            }
            client.model.notChanged();
            return;
        }
        try {
            client.node.logs.open(born);
        } catch (KeptlogException e) {
            client.explain(e, null);
        } catch (UncheckedIOException e) {
            if (!client.faults.io()) {
                throw e;
            }
        } finally {
            client.model.changed(client.node.catalog.state());
        }
    }

    private void sweepOrNot() {
        if (!unknown && random.nextInt(4) > 0) {
            sweep();
        }
    }

    /** What the background removal does. */
    private void sweep() {
        List<Removal> pending = List.copyOf(client.node.catalog.state().removals());
        if (pending.isEmpty()) {
            return;
        }
        client.node.offsets.forget(pending.stream()
                .map(r -> new PartitionSpec(r.ref(), r.incarnation(), LogOptions.defaults(Durability.REPLICATED)))
                .toList());
        List<Removal> done = client.node.logs.remove(pending);
        if (done.isEmpty()) {
            return;
        }
        try {
            client.node.catalog.change(s -> new CatalogChange.RemovalsDone(done));
        } catch (KeptlogException e) {
            client.explain(e, null);
            unknown = e.code() == ErrorCode.SYNC_FAILED;
        }
    }
}
