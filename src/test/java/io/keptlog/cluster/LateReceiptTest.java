// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.dev.LocalBookie;
import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.PartitionLog;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Between a write and its receipt the partition leaves, and cannot be opened again. */
class LateReceiptTest {
    @TempDir
    Path directory;

    @Test
    @Timeout(120)
    void whatIsAskedAfterAWriteNeverSaysThatItIsNotStored() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                ClusterStore store = ClusterStoreTest.open(cluster, "broker")) {
            PartitionRef topic = ClusterStoreTest.createTopic(store, 1, Map.of());
            PartitionLog log = ClusterStoreTest.log(store, topic);
            long end = LedgerFixture.append(log, "stored").endOffset();
            long number = store.offsets().store(log.spec(), new ConsumerKey(ConsumerKey.Kind.CONSUMER, 1), 0);
            store.offsets().tail(log.spec()).awaitReplicated(number, Deadline.inMillis(5_000));
            cluster.bookies().forEach(LocalBookie::close);
            store.ownership().dropAll();

            assertThat(log.tail().persistedEnd()).isLessThanOrEqualTo(end);
            assertUnknown(() -> log.tail().awaitReplicated(end, Deadline.inMillis(1_000)));
            assertUnknown(() -> store.offsets().tail(log.spec()).awaitReplicated(number, Deadline.inMillis(1_000)));
        }
    }

    private static void assertUnknown(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                .isEqualTo(ErrorCode.PRODUCE_TIMEOUT));
    }
}
