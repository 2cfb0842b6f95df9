// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.LocalCluster;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.LedgerViews;
import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DecommissionReport;
import io.keptlog.domain.cluster.DecommissionReport.LastCopies;
import io.keptlog.domain.cluster.DecommissionReport.StrandedStream;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.domain.cluster.RepairReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DepthTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(3, 3, 2);
    private static final int ALL = 1000;

    @TempDir
    Path directory;

    private LedgerFixture broker;
    private PartitionSpec spec;
    private DepthAudit audit;
    private CopyRepair repair;

    private LedgerFixture connect(LocalCluster cluster) throws Exception {
        broker = new LedgerFixture(cluster);
        spec = LedgerFixture.newSpec(Durability.PERSISTED);
        audit = new DepthAudit(broker.client, InstantSource.system(), Duration.ofSeconds(3));
        repair = new CopyRepair(broker.client, audit);
        return broker;
    }

    private List<LedgerView> ledgers() {
        return LedgerViews.stored(broker.client, LogOpener.name(spec), deadline());
    }

    private static Deadline deadline() {
        return Deadline.inMillis(30_000);
    }

    private DepthReport audit() {
        return audit.audit(ledgers(), spec.incarnation(), EntryPlace.FIRST, ALL, deadline());
    }

    private RepairReport repair() {
        return repair.repair(this::ledgers, spec.incarnation(), EntryPlace.FIRST, ALL, deadline());
    }

    private static void append(LedgerLog log, String what, int count) {
        for (int i = 0; i < count; i++) {
            LedgerFixture.append(log, what + i, "second of the entry");
        }
    }

    private void awaitWritable(int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .until(() -> broker.client.writableBookies(deadline()).size() == count);
    }

    @Test
    void entriesWrittenWhileABookieWasAwayLieAtTheAckQuorumAndARepairCompletesExactlyThese() throws Exception {
        try (var cluster = new LocalCluster(directory, 3)) {
            try (LedgerFixture used = connect(cluster)) {
                assertThat(used).isSameAs(broker);
                LedgerLog log = broker.create(spec, POLICY);
                append(log, "before", 10);
                String away = cluster.bookies().get(1).id();
                cluster.bookies().get(1).close();
                append(log, "during", 15);
                log.close();

                DepthRange unknown = audit().ranges().getLast();
                assertThat(unknown.depth()).isEqualTo(DepthRange.Depth.AT_ACK_QUORUM);
                assertThat(unknown.lacking()).containsOnlyKeys(away).containsValue(CopyState.UNREACHABLE);

                cluster.restart(1);
                awaitWritable(3);
                DepthReport found = audit();
                assertThat(found.entries()).isEqualTo(25);
                assertThat(found.next()).isNull();
                assertThat(found.ranges()).hasSize(2);
                DepthRange full = found.ranges().getFirst();
                assertThat(full.depth()).isEqualTo(DepthRange.Depth.FULL);
                assertThat(full.toOffset()).isEqualTo(20);
                DepthRange hole = found.ranges().getLast();
                assertThat(hole.depth()).isEqualTo(DepthRange.Depth.AT_ACK_QUORUM);
                assertThat(hole.fromOffset()).isEqualTo(20);
                assertThat(hole.toOffset()).isEqualTo(50);
                assertThat(hole.absent()).isEqualTo(1);
                assertThat(hole.lacking()).containsOnlyKeys(away).containsValue(CopyState.ABSENT);

                RepairReport repaired = repair();
                assertThat(repaired.failures()).isEmpty();
                assertThat(repaired.written()).isEqualTo(15);
                assertThat(repaired.after().notFull()).isEmpty();
                assertThat(LedgerFixture.readAll(broker.reopen(spec, POLICY), 0))
                        .hasSize(50)
                        .contains("during14");
            }
        }
    }

    @Test
    void aCopyWithAFlippedBitIsCorruptAndNeverSaidToBeAbsentAndIsWrittenAgain() throws Exception {
        try (var cluster = new LocalCluster(directory, 3)) {
            try (LedgerFixture used = connect(cluster)) {
                assertThat(used).isSameAs(broker);
                LedgerLog log = broker.create(spec, POLICY);
                append(log, "entry-", 5);
                log.close();
                flip(cluster, 2, "entry-3");
                awaitWritable(3);

                List<DepthRange> damaged = audit().notFull();
                assertThat(damaged).hasSize(1);
                DepthRange range = damaged.getFirst();
                assertThat(range.corrupt()).isEqualTo(1);
                assertThat(range.absent()).isZero();
                assertThat(range.fromOffset()).isEqualTo(6);
                assertThat(range.toOffset()).isEqualTo(8);
                assertThat(range.depth()).isEqualTo(DepthRange.Depth.AT_ACK_QUORUM);

                RepairReport repaired = repair();
                assertThat(repaired.failures()).isEmpty();
                assertThat(repaired.written()).isEqualTo(1);
                // A bookie looks into its entry logs before its memory: it finds the new copy after a flush.
                cluster.bookies().get(2).close();
                awaitWritable(2);
                cluster.restart(2);
                awaitWritable(3);
                assertThat(audit().notFull()).isEmpty();
            }
        }
    }

    /** As {@link #flip(Path, String)}, of a running bookie. */
    static void flip(LocalCluster cluster, int bookie, String text) throws Exception {
        cluster.bookies().get(bookie).close();
        flip(cluster.directory(bookie), text);
        cluster.restart(bookie);
    }

    /** One bit of the first place that holds the text in a bookie's entry logs. */
    private static void flip(Path bookie, String text) throws IOException {
        byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
        try (var files = Files.walk(bookie.resolve("ledgers"))) {
            for (Path file : files.filter(f -> f.toString().endsWith(".log")).toList()) {
                byte[] bytes = Files.readAllBytes(file);
                for (int at = 0; at <= bytes.length - wanted.length; at++) {
                    if (java.util.Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
                        bytes[at] ^= 1;
                        Files.write(file, bytes);
                        return;
                    }
                }
            }
        }
        throw new AssertionError("no entry log holds " + text);
    }

    @Test
    void whatWasOnABookieThatIsGoneIsReplicatedToASpareOneOrSaidToBeMissing() throws Exception {
        try (var cluster = new LocalCluster(directory, 3)) {
            try (LedgerFixture used = connect(cluster)) {
                assertThat(used).isSameAs(broker);
                LedgerLog log = broker.create(spec, POLICY);
                append(log, "kept", 5);
                log.close();
                cluster.bookies().getFirst().close();
                awaitWritable(2);

                RepairReport without = repair();
                assertThat(without.replicated()).isZero();
                assertThat(without.failures()).hasSize(1);
                assertThat(without.after().notFull()).isNotEmpty();

                cluster.addBookie();
                awaitWritable(3);
                RepairReport with = repair();
                assertThat(with.failures()).isEmpty();
                assertThat(with.replicated()).isEqualTo(1);
                assertThat(with.after().notFull()).isEmpty();
            }
        }
    }

    @Test
    void anOpenLedgersYoungestEntriesAreNotJudgedAndAnAuditGoesOnWhereItEnded() throws Exception {
        try (var cluster = new LocalCluster(directory, 3)) {
            try (LedgerFixture used = connect(cluster)) {
                assertThat(used).isSameAs(broker);
                LedgerLog log = broker.create(spec, POLICY);
                append(log, "young", 5);
                assertThat(audit().entries()).isZero();
                log.close();
                DepthReport some = audit.audit(ledgers(), spec.incarnation(), EntryPlace.FIRST, 2, deadline());
                assertThat(some.entries()).isEqualTo(2);
                EntryPlace next = some.next();
                assertThat(next).isNotNull();
                assertThat(next.entryId()).isEqualTo(2);
                DepthReport rest = audit.audit(ledgers(), spec.incarnation(), next, ALL, deadline());
                assertThat(rest.entries()).isEqualTo(3);
                assertThat(rest.ranges().getFirst().fromOffset()).isEqualTo(4);
                assertThat(rest.next()).isNull();
            }
        }
    }

    @Test
    void beforeABookieGoesItIsToldWhichStreamsNeedItAndWhichLedgersHaveTheirLastCopiesThere() throws Exception {
        try (var cluster = new LocalCluster(directory, 3);
                LedgerFixture used = connect(cluster)) {
            LedgerLog log = used.create(spec, POLICY);
            append(log, "kept", 3);
            log.close();
            var check = new DecommissionCheck(used.client);
            var streams = List.of(
                    new StrandedStream(1, "two", new QuorumPolicy(2, 2, 2)), new StrandedStream(2, "three", POLICY));
            String bookie = cluster.bookies().getFirst().id();

            DecommissionReport before = check.check(bookie, streams, deadline());
            assertThat(before.alive()).isTrue();
            assertThat(before.writableOthers()).isEqualTo(2);
            assertThat(before.streams()).extracting(StrandedStream::name).containsExactly("three");
            assertThat(before.ledgers()).isEqualTo(1);
            assertThat(before.underReplicated()).isEqualTo(1);
            assertThat(before.lastCopies()).isEmpty();
            assertThat(before.safe()).isFalse();

            cluster.bookies().get(1).close();
            cluster.bookies().get(2).close();
            awaitWritable(1);
            DecommissionReport last = check.check(bookie, streams, deadline());
            assertThat(last.streams()).hasSize(2);
            assertThat(last.lastCopies()).extracting(LastCopies::owner).containsExactly(LogOpener.name(spec));
            assertThatThrownBy(() -> check.check("127.0.0.1:1", streams, deadline()))
                    .isInstanceOfSatisfying(
                            KeptlogException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
        }
    }
}
