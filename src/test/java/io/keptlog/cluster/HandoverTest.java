// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.is;

import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.cluster.BookieView;
import io.keptlog.storage.PartitionLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Partitions move to a new broker only when that one could write to them (requirements B5). */
class HandoverTest {
    private static final int PARTITIONS = 8;

    @TempDir
    Path directory;

    @Test
    void withoutTheBookiesForANewLedgerAPartitionStaysWhereItsOpenLedgerIsAndTakesWrites() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                ClusterStore first = ClusterStoreTest.open(cluster, "first")) {
            PartitionRef topic = ClusterStoreTest.createTopic(
                    first, PARTITIONS, Map.of("ensemble_size", "2", "write_quorum", "2", "ack_quorum", "1"));
            appendToAll(first, topic);
            cluster.bookies().getLast().close();
            awaitWritable(first, 1);
            appendToAll(first, topic);
            try (ClusterStore second = ClusterStoreTest.open(cluster, "second")) {
                // Longer than the set of brokers must stay the same before partitions move.
                long until = System.nanoTime() + Duration.ofSeconds(6).toNanos();
                while (System.nanoTime() < until) {
                    appendToAll(first, topic);
                }
                assertThat(second.logs().all()).isEmpty();
                assertThat(first.logs().all()).hasSize(PARTITIONS);
                appendToAll(second, topic);
            }
        }
    }

    @Test
    @Timeout(120)
    void aPartitionThatIsHandedOverUnderLoadHasOneOwner() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                ClusterStore first = ClusterStoreTest.open(cluster, "first")) {
            PartitionRef topic = ClusterStoreTest.createTopic(first, PARTITIONS, Map.of());
            appendToAll(first, topic);
            var stop = new AtomicBoolean();
            try (var readers = Executors.newVirtualThreadPerTaskExecutor();
                    ClusterStore second = ClusterStoreTest.open(cluster, "second");
                    AutoCloseable stopping = () -> stop.set(true)) {
                for (int p = 0; p < PARTITIONS; p++) {
                    readUntil(stop, first, new PartitionRef(topic.streamId(), topic.topicId(), p), readers);
                }
                Awaitility.await("its share")
                        .atMost(Duration.ofSeconds(30))
                        .until(() -> second.logs().all().size() >= 2);
                Awaitility.await("each partition with one broker; who has lost it has let it go")
                        .atMost(Duration.ofSeconds(20))
                        .during(Duration.ofSeconds(2))
                        .until(
                                () -> first.logs().all().size()
                                        + second.logs().all().size(),
                                is(PARTITIONS));
            }
        }
    }

    private static void readUntil(AtomicBoolean stop, ClusterStore through, PartitionRef ref, Executor readers) {
        PartitionLog log = ClusterStoreTest.log(through, ref);
        readers.execute(() -> {
            while (!stop.get()) {
                assertThat(log.status().endOffset()).isEqualTo(1);
                LockSupport.parkNanos(1_000_000);
            }
        });
    }

    private static void appendToAll(ClusterStore through, PartitionRef topic) {
        for (int p = 0; p < PARTITIONS; p++) {
            var at = new PartitionRef(topic.streamId(), topic.topicId(), p);
            LedgerFixture.append(ClusterStoreTest.log(through, at), "kept");
        }
    }

    private static void awaitWritable(ClusterStore store, int count) {
        Awaitility.await("the bookie's session ends")
                .atMost(Duration.ofSeconds(40))
                .until(() -> store.replication().bookies().stream()
                                .filter(BookieView::writable)
                                .count()
                        == count);
    }
}
