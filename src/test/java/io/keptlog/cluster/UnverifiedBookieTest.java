// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.client.SyncCheck.Verdict;
import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.ledger.LedgerSettings;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.cluster.ledger.append.PendingBytes;
import io.keptlog.cluster.offsets.OffsetLedger;
import io.keptlog.cluster.offsets.OffsetPointer;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A bookie that does not sync its journal, or does not say so, is not given what must be persisted. */
class UnverifiedBookieTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(2, 2, 2);

    @TempDir
    Path directory;

    @Test
    void persistedMessagesAreNotGivenToABookieThatDoesNotSync() throws Exception {
        try (var cluster = new LocalCluster(directory, 1);
                var broker = new LedgerFixture(cluster);
                var check = new BookieSync(broker.client)) {
            var honest = cluster.bookies().getFirst();
            var careless = cluster.addBookie(false);
            assertThat(check.verdict(honest.id())).isEqualTo(Verdict.SYNCED);
            assertThat(check.verdict(careless.id())).isEqualTo(Verdict.NOT_SYNCED);
            assertThat(check.verdict("127.0.0.1:1")).isEqualTo(Verdict.UNKNOWN);

            var opener = new LogOpener(broker.client, check, new PendingBytes(64 << 20), LedgerSettings.DEFAULT);
            PartitionSpec persisted = LedgerFixture.newSpec(Durability.PERSISTED);
            try (var log = open(broker, opener, persisted)) {
                assertThatThrownBy(() -> LedgerFixture.append(log, "the very first"))
                        .isInstanceOfSatisfying(KeptlogException.class, e -> {
                            assertThat(e.code()).isEqualTo(ErrorCode.QUORUM_UNAVAILABLE);
                            assertThat(e.reason()).contains(careless.id());
                        });
                assertThat(log.status().endOffset()).isZero();
            }
            PartitionSpec replicated = LedgerFixture.newSpec(Durability.REPLICATED);
            try (var log = open(broker, opener, replicated)) {
                long end = LedgerFixture.append(log, "replicated").endOffset();
                assertThat(log.tail()
                                .awaitReplicated(end, Deadline.inMillis(5_000))
                                .durability())
                        .isEqualTo(Durability.REPLICATED);
                assertThatThrownBy(() -> log.tail().awaitPersisted(end, Deadline.inMillis(5_000)))
                        .isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                                .isEqualTo(ErrorCode.SYNC_FAILED));
            }
        }
    }

    @Test
    void aConsumerOffsetThereIsNotSaidToBePersisted() throws Exception {
        try (var cluster = new LocalCluster(directory, 1);
                var broker = new LedgerFixture(cluster);
                var check = new BookieSync(broker.client)) {
            cluster.addBookie(false);
            var pointer = new OffsetPointer(broker.metadata, "offsets-of-unverified");
            try (var offsets = new OffsetLedger(broker.client, pointer, POLICY, check, new AtomicLong())) {
                long number = offsets.store(new ConsumerKey(ConsumerKey.Kind.CONSUMER, 1), 7, Deadline.inMillis(5_000));
                assertThat(offsets.awaitReplicated(number, Deadline.inMillis(5_000))
                                .durability())
                        .isEqualTo(Durability.REPLICATED);
                assertThatThrownBy(() -> offsets.awaitPersisted(number, Deadline.inMillis(5_000)))
                        .isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                                .isEqualTo(ErrorCode.SYNC_FAILED));
            }
        }
    }

    private static LedgerLog open(LedgerFixture broker, LogOpener opener, PartitionSpec spec) {
        return (LedgerLog)
                opener.open(spec, POLICY, true, new AtomicLong()::incrementAndGet, broker.copies(spec, POLICY));
    }
}
