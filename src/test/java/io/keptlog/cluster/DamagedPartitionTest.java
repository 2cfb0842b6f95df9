// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.cluster.LedgerReplication;
import io.keptlog.domain.cluster.PartitionReplication;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DamagedPartitionTest {
    @TempDir
    Path directory;

    @Test
    void whatIsLeftOfAPartitionIsDescribedAlsoWhenItCannotBeOpenedOrWritten() throws Exception {
        try (var cluster = new LocalCluster(directory, 2)) {
            PartitionSpec listGone;
            PartitionSpec ledgerGone;
            PartitionSpec healthy;
            try (ClusterStore store = ClusterStoreTest.open(cluster, "first")) {
                PartitionRef topic = ClusterStoreTest.createTopic(store, 3, Map.of());
                listGone = filled(store, topic, 0);
                ledgerGone = filled(store, topic, 1);
                healthy = filled(store, topic, 2);
            }
            try (var broken = new LedgerFixture(cluster)) {
                broken.metadata.delete("/managed-ledgers/" + LogOpener.name(listGone));
                long ledger = broken.client
                        .info(LogOpener.name(ledgerGone), Deadline.inMillis(5_000))
                        .ledgers
                        .getFirst()
                        .ledgerId;
                broken.client.deleteLedger(ledger).get();
            }
            try (ClusterStore store = ClusterStoreTest.open(cluster, "second")) {
                assertThat(refusal(store, listGone).code()).isEqualTo(ErrorCode.PARTITION_DAMAGED);
                assertThat(store.replication().of(listGone.ref(), 0, 10).ledgers())
                        .isEmpty();
                assertThat(refusal(store, ledgerGone).code()).isEqualTo(ErrorCode.PARTITION_DAMAGED);
                PartitionReplication lost = store.replication().of(ledgerGone.ref(), 0, 10);
                assertThat(lost.ledgers().getFirst().policy())
                        .as("a ledger that BookKeeper does not know")
                        .isNull();
                assertThat(log(store, healthy).status().endOffset()).isEqualTo(2);
                assertThat(store.logs().faults()).anyMatch(f -> f.toString().contains("partition " + listGone.ref()));
            }
            cluster.bookies().getLast().close();
            try (ClusterStore store = ClusterStoreTest.open(cluster, "third")) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .ignoreExceptions()
                        .until(() -> log(store, healthy).status().state() == LogStatus.State.READ_ONLY);
                PartitionReplication readOnly = store.replication().of(healthy.ref(), 0, 10);
                assertThat(readOnly.ledgers().stream()
                                .mapToLong(LedgerReplication::entries)
                                .sum())
                        .isEqualTo(2);
                assertThat(readOnly.entries())
                        .isNotEmpty()
                        .allMatch(e -> e.bookies().size() == 2);
            }
        }
    }

    private static PartitionSpec filled(ClusterStore store, PartitionRef topic, int partition) {
        PartitionLog log = ClusterStoreTest.log(store, new PartitionRef(topic.streamId(), topic.topicId(), partition));
        LedgerFixture.append(log, "a");
        LedgerFixture.append(log, "b");
        return log.spec();
    }

    private static PartitionLog log(ClusterStore store, PartitionSpec spec) {
        return ClusterStoreTest.log(store, spec.ref());
    }

    private static KeptlogException refusal(ClusterStore store, PartitionSpec spec) {
        return catchThrowableOfType(
                KeptlogException.class, () -> log(store, spec).status());
    }
}
