// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.offsets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.LocalCluster;
import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.metadata.Metadata;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.OffsetStoreContract;
import io.keptlog.storage.SyncTarget;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Offset ledgers keep the contract; opening again is what a new owner does. */
class OffsetLedgerContractTest extends OffsetStoreContract {
    @TempDir
    static Path directory;

    private static LocalCluster cluster;
    private static Metadata metadata;
    private static LedgerClient client;
    private static int run;
    private Ledgers store = new Ledgers();

    @BeforeAll
    static void start() throws Exception {
        cluster = new LocalCluster(directory, 2);
        metadata = new Metadata(cluster.metadataUri(), 6_000);
        client = new LedgerClient(metadata.store(), cluster.bookKeeperUri(), 3);
    }

    @AfterAll
    static void stop() {
        client.close();
        metadata.close();
        cluster.close();
    }

    @BeforeEach
    void fresh() {
        run++;
        store = new Ledgers();
    }

    @Override
    protected OffsetStore store() {
        return store;
    }

    @Override
    protected OffsetStore reopened() {
        // Not closed: the former owner does not know that it has been replaced.
        store = new Ledgers();
        return store;
    }

    @Test
    void aWriteWhoseTimeIsOverBeforeItsTurnIsNotMade() {
        try (var ledger = new OffsetLedger(
                client,
                new OffsetPointer(metadata, "too-late"),
                QuorumPolicy.DEFAULT,
                b -> SyncCheck.Verdict.SYNCED,
                new AtomicLong())) {
            var consumer = new ConsumerKey(ConsumerKey.Kind.CONSUMER, 1);
            ledger.store(consumer, 7, Deadline.inMillis(5_000));
            Deadline over = Deadline.inMillis(0);
            for (ThrowingCallable late : List.<ThrowingCallable>of(
                    () -> ledger.store(consumer, 3, over), () -> ledger.delete(consumer, over))) {
                assertThatThrownBy(late).isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                        .isEqualTo(ErrorCode.TRANSIENT_NOT_ACCEPTED));
            }
            assertThat(ledger.get(consumer)).hasValue(7);
        }
    }

    /** One ledger per life of a partition, as an owner holds them. */
    private static final class Ledgers implements OffsetStore {
        private final Map<Long, OffsetLedger> open = new HashMap<>();
        private final AtomicLong numbers = new AtomicLong();

        private synchronized OffsetLedger of(PartitionSpec partition) {
            return open.computeIfAbsent(
                    partition.incarnation(),
                    i -> new OffsetLedger(
                            client, pointer(partition), QuorumPolicy.DEFAULT, b -> SyncCheck.Verdict.SYNCED, numbers));
        }

        private static OffsetPointer pointer(PartitionSpec partition) {
            return new OffsetPointer(metadata, "run" + run + "-" + partition.incarnation());
        }

        @Override
        public OptionalLong get(PartitionSpec partition, ConsumerKey consumer) {
            return of(partition).get(consumer);
        }

        @Override
        public long store(PartitionSpec partition, ConsumerKey consumer, long offset) {
            return confirmed(partition, of(partition).store(consumer, offset, Deadline.inMillis(5_000)));
        }

        @Override
        public long delete(PartitionSpec partition, ConsumerKey consumer) {
            return confirmed(partition, of(partition).delete(consumer, Deadline.inMillis(5_000)));
        }

        /** The contract opens again right after a write, and a take-over may lose what was never confirmed. */
        private long confirmed(PartitionSpec partition, long number) {
            of(partition).awaitPersisted(number, Deadline.inMillis(30_000));
            return number;
        }

        @Override
        public void forget(List<PartitionSpec> partitions, ConsumerKey consumer) {
            for (PartitionSpec partition : partitions) {
                try {
                    delete(partition, consumer);
                } catch (KeptlogException e) {
                    if (e.code() != ErrorCode.CONSUMER_OFFSET_NOT_FOUND) {
                        throw e;
                    }
                }
            }
        }

        @Override
        public synchronized void forget(List<PartitionSpec> partitions) {
            for (PartitionSpec partition : partitions) {
                OffsetLedger gone = open.remove(partition.incarnation());
                if (gone != null) {
                    gone.close();
                }
                pointer(partition).remove();
            }
        }

        @Override
        public List<ConsumerOffset> list(PartitionSpec partition) {
            return of(partition).list();
        }

        @Override
        public List<ConsumerOffset> clamp(PartitionSpec partition, long firstOffset, long endOffset) {
            List<ConsumerOffset> beyond = list(partition).stream()
                    .filter(c -> c.offset() >= endOffset)
                    .toList();
            beyond.forEach(c -> {
                if (endOffset > firstOffset) {
                    store(partition, c.consumer(), endOffset - 1);
                } else {
                    delete(partition, c.consumer());
                }
            });
            return beyond;
        }

        @Override
        public SyncTarget tail(PartitionSpec partition) {
            return of(partition);
        }

        @Override
        public List<Fault> faults() {
            return List.of();
        }

        @Override
        public void close() {}
    }
}
