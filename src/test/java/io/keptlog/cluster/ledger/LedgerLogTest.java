// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.ledger;

import static io.keptlog.cluster.ledger.LedgerFixture.append;
import static io.keptlog.cluster.ledger.LedgerFixture.readAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.LocalCluster;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.Visibility;
import io.keptlog.storage.Appended;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A partition on real bookies inside this JVM. */
class LedgerLogTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(2, 2, 2);

    @TempDir
    static Path directory;

    private static LocalCluster cluster;
    private static LedgerFixture broker;

    @BeforeAll
    static void start() throws Exception {
        cluster = new LocalCluster(directory, 3);
        broker = new LedgerFixture(cluster);
    }

    @AfterAll
    static void stop() throws Exception {
        broker.close();
        cluster.close();
    }

    @Test
    void whatIsAppendedIsReadBackFromMemoryAndFromTheBookies() {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.REPLICATED);
        var expected = new ArrayList<String>();
        try (LedgerLog log = broker.create(spec, POLICY)) {
            for (int i = 0; i < 30; i++) {
                Appended appended = append(log, "a" + i, "b" + i, "c" + i);
                assertThat(appended.baseOffset()).isEqualTo(3L * i);
                expected.addAll(List.of("a" + i, "b" + i, "c" + i));
            }
            assertThat(readAll(log, 0)).isEqualTo(expected);
            Evidence evidence = log.tail().awaitPersisted(90, Deadline.inMillis(1000));
            assertThat(evidence.storedIn()).isEqualTo(Evidence.StoredIn.ACK_QUORUM);
            assertThat(evidence.copies()).isEqualTo(2);
            assertThat(evidence.entryId()).isEqualTo(29);
            assertThat(log.tail().awaitPersisted(31, Deadline.inMillis(1000)).entryId())
                    .isEqualTo(10);
        }
        try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
            assertThat(readAll(log, 0)).isEqualTo(expected);
            assertThat(readAll(log, 44)).isEqualTo(expected.subList(44, 90));
            assertThat(append(log, "next").baseOffset()).isEqualTo(90);
            assertThat(log.tail().awaitPersisted(31, Deadline.inMillis(1000)).entryId())
                    .isEqualTo(10);
        }
    }

    @Test
    void threeRollsWithoutConsumersKeepEverything() {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
        var expected = new ArrayList<String>();
        try (LedgerLog log = broker.create(spec, POLICY)) {
            for (int roll = 0; roll < 4; roll++) {
                for (int i = 0; i < 5; i++) {
                    append(log, "r" + roll + "." + i);
                    expected.add("r" + roll + "." + i);
                }
                log.requestRoll();
                log.maintain(POLICY);
            }
            assertThat(log.status().segments()).isEqualTo(4);
            assertThat(log.sealedSegments()).extracting(s -> s.endOffset()).containsExactly(6L, 11L, 16L);
            assertThat(readAll(log, 0)).isEqualTo(expected);
        }
        try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
            assertThat(readAll(log, 0)).isEqualTo(expected);
        }
    }

    @Test
    void aFullyTrimmedPartitionDoesNotRestartAtZero() {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
        try (LedgerLog log = broker.create(spec, POLICY)) {
            for (int i = 0; i < 10; i++) {
                append(log, "m" + i);
            }
        }
        try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
            assertThat(log.deleteSegments(10, Gap.Reason.RETENTION)).hasSize(1);
            assertThat(log.status().firstOffset()).isEqualTo(10);
        }
        try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
            assertThat(log.ledgers()).hasSize(1);
            assertThat(log.status().firstOffset()).isEqualTo(10);
            assertThat(log.status().endOffset()).isEqualTo(10);
            assertThat(append(log, "later").baseOffset()).isEqualTo(10);
            try (var slice = log.read(3, 10, 1000, Visibility.TOPIC)) {
                assertThat(slice.gap()).isEqualTo(new Gap(3, 10, Gap.Reason.RETENTION));
                assertThat(slice.startOffset()).isEqualTo(10);
                assertThat(slice.count()).isEqualTo(1);
            }
        }
    }

    @Test
    void aPolicyChangeConcernsTheNextLedgerOnly() {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
        var wider = new QuorumPolicy(3, 2, 1);
        try (LedgerLog log = broker.create(spec, POLICY)) {
            append(log, "before");
            log.maintain(wider);
            append(log, "the last one of its ledger");
            append(log, "after");
            assertThat(log.ledgers()).extracting(LedgerView::policy).containsExactly(POLICY, wider);
            assertThat(log.tail().awaitPersisted(3, Deadline.inMillis(1000)).copies())
                    .isEqualTo(1);
            assertThat(log.tail().awaitPersisted(2, Deadline.inMillis(1000)).copies())
                    .isEqualTo(2);
        }
    }

    @Test
    void theFormerOwnerAcknowledgesNothingMore() throws Exception {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
        try (var other = new LedgerFixture(cluster);
                LedgerLog former = broker.create(spec, POLICY)) {
            append(former, "one");
            try (LedgerLog owner = (LedgerLog) other.reopen(spec, POLICY)) {
                assertThat(append(owner, "two").baseOffset()).isEqualTo(1);
                assertThatThrownBy(() -> append(former, "never")).isInstanceOf(KeptlogException.class);
                assertThatThrownBy(() -> append(former, "never"))
                        .isInstanceOfSatisfying(KeptlogException.class, e -> assertThat(e.code())
                                .isEqualTo(ErrorCode.NOT_PRIMARY));
                assertThat(former.lost()).isTrue();
                assertThat(readAll(owner, 0)).containsExactly("one", "two");
            }
        }
    }

    @Test
    void concurrentAppendsAreContiguousAndRollsDoNotFailThem() throws Exception {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
        try (LedgerLog log = broker.create(spec, POLICY);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<Appended>>();
            for (int i = 0; i < 400; i++) {
                String payload = "p" + i;
                answers.add(threads.submit(() -> append(log, payload)));
                if (i % 100 == 50) {
                    log.requestRoll();
                    log.maintain(POLICY);
                }
            }
            var byOffset = new String[400];
            for (int i = 0; i < 400; i++) {
                byOffset[(int) answers.get(i).get().baseOffset()] = "p" + i;
            }
            assertThat(readAll(log, 0)).containsExactly(byOffset);
            assertThat(log.ledgers().size()).isGreaterThan(1);
        }
    }

    @Test
    void aTimeLeadsToTheFirstMessageAppendedThen() {
        PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
        try (LedgerLog log = broker.create(spec, POLICY)) {
            IntStream.range(0, 20).forEach(i -> append(log, "t" + i));
            long time;
            try (var slice = log.read(13, 1, 1, Visibility.TOPIC)) {
                time = slice.runs().getFirst().appendTimeMicros();
            }
            assertThat(log.offsetAt(time, Visibility.TOPIC)).isLessThanOrEqualTo(13);
            assertThat(log.offsetAt(time + 1, Visibility.TOPIC)).isGreaterThan(13);
            assertThat(log.offsetAt(0, Visibility.TOPIC)).isZero();
            assertThat(log.offsetAt(Long.MAX_VALUE, Visibility.TOPIC)).isEqualTo(20);
            assertThat(log.offsetAt(-1, Visibility.TOPIC)).isEqualTo(20);
        }
    }
}
