// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static io.keptlog.cluster.ledger.LedgerFixture.append;
import static io.keptlog.cluster.ledger.LedgerFixture.readAll;
import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.TopicOptions;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.EntryReplication;
import io.keptlog.domain.cluster.KeptDepth;
import io.keptlog.domain.cluster.PartitionReplication;
import io.keptlog.domain.cluster.StreamDepth;
import io.keptlog.storage.PartitionLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two brokers over real bookies, all inside this JVM. */
class ClusterStoreTest {
    @TempDir
    static Path directory;

    private static LocalCluster cluster;
    private static ClusterStore first;
    private static ClusterStore second;

    @BeforeAll
    static void start() throws Exception {
        cluster = new LocalCluster(directory, 5);
        first = open(cluster, "first");
        second = open(cluster, "second");
    }

    static ClusterStore open(LocalCluster cluster, String name) {
        return ClusterStore.open(new ClusterSettings(
                cluster.metadataUri(),
                cluster.bookKeeperUri(),
                name,
                "127.0.0.1:1",
                "127.0.0.1",
                0,
                QuorumPolicy.DEFAULT,
                Duration.ofSeconds(4),
                Duration.ofMillis(Limits.WRITE_TIMEOUT_DEFAULT_MILLIS),
                Limits.LEDGER_PENDING_DEFAULT_BYTES));
    }

    @AfterAll
    static void stop() {
        second.close();
        first.close();
        cluster.close();
    }

    static PartitionRef createTopic(ClusterStore on, int partitions, Map<String, String> streamOptions) {
        var stream = on.catalog()
                .change(s -> new CatalogChange.StreamCreated(
                        s.nextStreamId(), 1, "stream" + s.nextStreamId(), streamOptions));
        var entries = new ArrayList<PartitionEntry>();
        for (int i = 0; i < partitions; i++) {
            entries.add(new PartitionEntry(i, 1, ThreadLocalRandom.current().nextLong()));
        }
        var options = new TopicOptions(
                io.keptlog.domain.Compression.NONE,
                TopicOptions.NEVER,
                TopicOptions.UNLIMITED,
                1 << 20,
                Durability.PERSISTED,
                Durability.PERSISTED,
                1000,
                1 << 20,
                false,
                Set.of());
        var topic = on.catalog()
                .change(
                        s -> new CatalogChange.TopicCreated(stream.streamId(), 0, 1, "topic", options, entries),
                        c -> on.logs().prepare(s(c, stream.streamId())));
        on.logs().open(s(topic, stream.streamId()));
        return new PartitionRef(stream.streamId(), 0, 0);
    }

    private static List<io.keptlog.domain.PartitionSpec> s(CatalogChange.TopicCreated c, int streamId) {
        return c.partitions().stream()
                .map(p -> new io.keptlog.domain.PartitionSpec(
                        new PartitionRef(streamId, c.topicId(), p.id()),
                        p.incarnation(),
                        c.options().logOptions()))
                .toList();
    }

    static PartitionLog log(ClusterStore store, PartitionRef ref) {
        // Another broker's change arrives by notification.
        long until = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (System.nanoTime() < until) {
            PartitionLog found = store.logs().find(ref);
            if (found != null) {
                return found;
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no log of " + ref);
    }

    @Test
    void anyBrokerTakesAnyRequestAndOnlyTheOwnerHasThePartition() {
        PartitionRef ref = createTopic(first, 8, Map.of());
        for (int p = 0; p < 8; p++) {
            var at = new PartitionRef(ref.streamId(), 0, p);
            PartitionLog one = log(first, at);
            PartitionLog two = log(second, at);
            var expected = new ArrayList<String>();
            for (int i = 0; i < 6; i++) {
                PartitionLog through = i % 2 == 0 ? one : two;
                var appended = append(through, "m" + i);
                assertThat(appended.baseOffset()).isEqualTo(i);
                Evidence evidence = through.tail().awaitPersisted(i + 1, Deadline.inMillis(2000));
                assertThat(evidence.storedIn()).isEqualTo(Evidence.StoredIn.ACK_QUORUM);
                assertThat(evidence.durability()).isEqualTo(Durability.PERSISTED);
                assertThat(evidence.copies()).isEqualTo(2);
                assertThat(evidence.entryId()).isEqualTo(i);
                expected.add("m" + i);
            }
            assertThat(readAll(one, 0)).isEqualTo(expected);
            assertThat(readAll(two, 0)).isEqualTo(expected);
            assertThat(two.status()).isEqualTo(one.status());
        }
        assertThat(first.logs().all()).isNotEmpty();
        assertThat(second.logs().all()).isNotEmpty();
    }

    @Test
    void offsetsAreTheSameThroughBothBrokersAndSurviveAChangeOfOwner() {
        PartitionRef ref = createTopic(first, 1, Map.of());
        PartitionLog log = log(first, ref);
        log(second, ref);
        append(log, "a", "b", "c");
        var reader = new ConsumerKey(ConsumerKey.Kind.CONSUMER, 7);
        var group = new ConsumerKey(ConsumerKey.Kind.CONSUMER_GROUP, 7);
        long number = first.offsets().store(log.spec(), reader, 2);
        first.offsets().tail(log.spec()).awaitPersisted(number, Deadline.inMillis(2000));
        number = second.offsets().store(log.spec(), group, 1);
        second.offsets().tail(log.spec()).awaitPersisted(number, Deadline.inMillis(2000));
        assertThat(first.offsets().get(log.spec(), group)).hasValue(1);
        assertThat(second.offsets().get(log.spec(), reader)).hasValue(2);

        ClusterStore third = open(cluster, "third");
        third.close();
        boolean firstOwns = first.logs().all().stream().anyMatch(l -> l.spec().equals(log.spec()));
        ClusterStore leaving = firstOwns ? first : second;
        leaving.close();
        ClusterStore staying = firstOwns ? second : first;
        assertThat(staying.offsets().get(log.spec(), group)).hasValue(1);
        assertThat(staying.offsets().get(log.spec(), reader)).hasValue(2);
        assertThat(readAll(log(staying, ref), 0)).containsExactly("a", "b", "c");
        if (firstOwns) {
            first = open(cluster, "first");
        } else {
            second = open(cluster, "second");
        }
        assertThat(first.offsets().list(log.spec())).hasSize(2);
        assertThat(second.offsets().list(log.spec())).hasSize(2);
    }

    @Test
    void whatTheOwnerHasSeenOfTheCopiesIsToldByEveryBroker() {
        PartitionRef ref = createTopic(first, 1, Map.of("guarantee_write_quorum", "true"));
        PartitionLog log = log(first, ref);
        append(log, "a", "b", "c");
        log(second, ref);
        for (ClusterStore store : List.of(first, second)) {
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                KeptDepth kept = store.replication().of(ref, 0, 0).kept();
                assertThat(kept).isNotNull();
                assertThat(kept.guaranteed()).isTrue();
                assertThat(kept.counts()).isEqualTo(DepthCounts.full(3));
                assertThat(kept.lookedAt()).isNotNull();
            });
        }
        assertThat(List.of(first, second))
                .flatExtracting(s -> s.replication().streamDepths())
                .filteredOn(s -> s.streamId() == ref.streamId())
                .containsExactly(new StreamDepth(ref.streamId(), DepthCounts.full(3), 0));
    }

    @Test
    void entriesAreStripedByTheirNumberModuloTheEnsemble() {
        PartitionRef ref = createTopic(first, 1, Map.of("ensemble_size", "5", "write_quorum", "3", "ack_quorum", "2"));
        PartitionLog log = log(first, ref);
        for (int i = 0; i < 10; i++) {
            append(log, "e" + i);
        }
        log(second, ref);
        PartitionReplication seen = second.replication().of(ref, 0, 10);
        assertThat(seen.policy()).isEqualTo(new QuorumPolicy(5, 3, 2));
        assertThat(seen.ledgers()).hasSize(1);
        List<String> ensemble =
                seen.ledgers().getFirst().ensembles().values().iterator().next();
        assertThat(ensemble).hasSize(5).doesNotHaveDuplicates();
        assertThat(seen.entries()).hasSize(10);
        for (EntryReplication entry : seen.entries()) {
            int e = (int) entry.entryId();
            assertThat(entry.bookies())
                    .containsExactly(ensemble.get(e % 5), ensemble.get((e + 1) % 5), ensemble.get((e + 2) % 5));
        }
        assertThat(Objects.requireNonNull(first.replication()).bookies())
                .hasSize(5)
                .allMatch(b -> b.journalSync() == BookieView.JournalSync.SYNCED);
        assertThat(second.replication().brokers()).extracting(b -> b.name()).contains("first", "second");
    }
}
