// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.cluster.LocalCluster;
import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.LedgerViews;
import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.CopyState;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.keptlog.domain.cluster.KeptDepth;
import io.keptlog.domain.cluster.RepairReport;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.bookkeeper.client.BookKeeper;
import org.apache.bookkeeper.conf.ClientConfiguration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The three ways in which acknowledged entries come to lie at the ack quorum (requirements B8), each found exactly and completed: on request, and by
 * the keeper of a stream whose write quorum is guaranteed.
 */
class GuaranteedWriteQuorumTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(3, 3, 2);
    private static final int ALL = 1000;

    @TempDir
    Path directory;

    private LocalCluster cluster;
    private LedgerFixture broker;
    private PartitionSpec spec;
    private DepthAudit audit;
    private CopyRepair repair;
    /** A bookie is suspended by a task behind what its event loops have to do: one entry more or less may pass. */
    private static final String IN_ITS_HANDS = "what the bookie took before it was suspended";

    private final ConcurrentLinkedQueue<DepthRange> lost = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Boolean> toldAgain = new ConcurrentLinkedQueue<>();
    /** So many times whoever is told of a loss cannot keep it. */
    private volatile int notKept;

    private interface Steps {
        void run() throws Exception;
    }

    private void inCluster(int bookies, Steps steps) throws Exception {
        try (var started = new LocalCluster(directory, bookies);
                var fixture = new LedgerFixture(started)) {
            cluster = started;
            broker = fixture;
            spec = LedgerFixture.newSpec(Durability.PERSISTED);
            audit = new DepthAudit(broker.client, InstantSource.system(), Duration.ofSeconds(3));
            repair = new CopyRepair(broker.client, audit);
            steps.run();
        }
    }

    private static Deadline deadline() {
        return Deadline.inMillis(30_000);
    }

    private List<LedgerView> ledgers() {
        return LedgerViews.stored(broker.client, LogOpener.name(spec), deadline());
    }

    private DepthReport audit() {
        return audit.audit(ledgers(), spec.incarnation(), EntryPlace.FIRST, ALL, deadline());
    }

    private static void append(LedgerLog log, String what, int count) {
        for (int i = 0; i < count; i++) {
            LedgerFixture.append(log, what + i);
        }
    }

    private void awaitWritable(int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(40))
                .until(() -> broker.client.writableBookies(deadline()).size() == count);
    }

    /** The partition in the hands of a keeper. */
    private KeptLog kept(LedgerLog log, boolean guaranteed) {
        return new KeptLog() {
            @Override
            public PartitionSpec spec() {
                return spec;
            }

            @Override
            public boolean guaranteed() {
                return guaranteed;
            }

            @Override
            public NavigableMap<Long, Long> entries() {
                return log.entries();
            }

            @Override
            public Long openLedger() {
                return log.openLedger();
            }

            @Override
            public long messages() {
                return log.status().endOffset() - log.status().firstOffset();
            }

            @Override
            public void endLedger() {
                log.endLedger();
            }
        };
    }

    private CopyKeeper keeper(LedgerLog log, boolean guaranteed) {
        return new CopyKeeper(
                broker.client,
                () -> List.of(kept(log, guaranteed)),
                (partition, range, again) -> {
                    lost.add(range);
                    toldAgain.add(again);
                    return lost.size() > notKept;
                },
                InstantSource.system(),
                Duration.ofSeconds(3),
                Duration.ofSeconds(2),
                8 << 20);
    }

    private KeptDepth await(CopyKeeper keeper, long below, long messages) {
        Awaitility.await("below Qw: " + below).atMost(Duration.ofSeconds(40)).untilAsserted(() -> {
            DepthCounts counts = keeper.kept(spec).counts();
            assertThat(counts.belowWriteQuorum()).isEqualTo(below);
            assertThat(counts.messages()).isEqualTo(messages);
        });
        return keeper.kept(spec);
    }

    private void completes(boolean byKeeper, long from, long to, int copies) throws Exception {
        try (LedgerLog log = (LedgerLog) broker.reopen(spec, POLICY)) {
            long end = log.status().endOffset();
            if (byKeeper) {
                try (CopyKeeper telling = keeper(log, false)) {
                    telling.start();
                    KeptDepth told = await(telling, to - from, end);
                    assertThat(told.counts().atAckQuorum()).isEqualTo(to - from);
                    assertThat(told.ranges().getFirst().fromOffset()).isEqualTo(from);
                    assertThat(told.ranges().getLast().toOffset()).isEqualTo(to);
                    assertThat(told.written()).isZero();
                }
                try (CopyKeeper completing = keeper(log, true)) {
                    completing.start();
                    KeptDepth whole = await(completing, 0, end);
                    assertThat(whole.written()).isEqualTo(copies);
                    assertThat(whole.ranges()).isEmpty();
                }
            } else {
                RepairReport repaired =
                        repair.repair(this::ledgers, spec.incarnation(), EntryPlace.FIRST, ALL, deadline());
                assertThat(repaired.failures()).isEmpty();
                assertThat(repaired.written() + repaired.replicated()).isEqualTo(copies);
            }
            assertThat(audit().notFull()).isEmpty();
            assertThat(LedgerFixture.readAll(log, 0)).hasSize((int) end);
        }
        assertThat(lost).isEmpty();
    }

    private DepthRange onlyHole() {
        List<DepthRange> holes = audit().notFull();
        assertThat(holes).hasSize(1);
        assertThat(holes.getFirst().depth()).isEqualTo(DepthRange.Depth.AT_ACK_QUORUM);
        return holes.getFirst();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatACloseLeftBehindOnASlowBookie(boolean byKeeper) throws Exception {
        inCluster(3, () -> {
            LedgerLog log = broker.create(spec, POLICY);
            append(log, "on all ", 5);
            String slow = cluster.bookies().get(1).id();
            cluster.bookies().get(1).suspend();
            append(log, "on two ", 7);
            log.close();
            // What still lay in the slow one's sockets goes with its process.
            cluster.bookies().get(1).close();
            cluster.restart(1);
            awaitWritable(3);

            DepthRange hole = onlyHole();
            long from = hole.fromOffset();
            assertThat(from).as(IN_ITS_HANDS).isBetween(3L, 8L);
            assertThat(hole.toOffset()).isEqualTo(12);
            assertThat(hole.lacking()).containsOnlyKeys(slow).containsValue(CopyState.ABSENT);
            completes(byKeeper, from, 12, (int) (12 - from));
        });
    }

    /** The writer dies with entries at two bookies; a recovery replaces the third from where it begins, and leaves what was before as it is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatARecoveryThatChangedTheEnsembleLeftBehind(boolean byKeeper) throws Exception {
        inCluster(3, () -> {
            LedgerLog writer = broker.create(spec, POLICY);
            long ledgerId = writer.ledgers().getFirst().ledgerId();
            append(writer, "on all ", 5);
            cluster.bookies().get(1).suspend();
            append(writer, "on two ", 6);
            String slow = cluster.bookies().get(1).id();
            cluster.bookies().get(1).close();
            awaitWritable(2);
            cluster.addBookie();
            awaitWritable(3);
            recoverAsTheLibraryDoesByDefault(ledgerId);
            cluster.restart(1);
            awaitWritable(4);

            LedgerView recovered = LedgerViews.of(
                            broker.client, List.of(ledgerId), java.util.Map.of(ledgerId, 11L), deadline())
                    .getFirst();
            assertThat(recovered.open()).isFalse();
            assertThat(recovered.ensembles()).as("the recovery has changed it").hasSize(2);
            long changedAt = new ArrayList<>(recovered.ensembles().keySet()).getLast();
            DepthRange hole = onlyHole();
            long from = hole.fromOffset();
            assertThat(from).as(IN_ITS_HANDS).isBetween(3L, 8L);
            assertThat(hole.toOffset()).isEqualTo(changedAt).isGreaterThan(from);
            assertThat(hole.lacking()).containsOnlyKeys(slow).containsValue(CopyState.ABSENT);
            completes(byKeeper, from, changedAt, (int) (changedAt - from));
        });
    }

    private void recoverAsTheLibraryDoesByDefault(long ledgerId) throws Exception {
        var conf = new ClientConfiguration();
        conf.setMetadataServiceUri(cluster.bookKeeperUri());
        try (BookKeeper other = BookKeeper.forConfig(conf).build()) {
            other.openLedger(ledgerId, BookKeeper.DigestType.CRC32C, LedgerClient.NO_PASSWORD)
                    .close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatABookieHadThatWasLostAfterwards(boolean byKeeper) throws Exception {
        inCluster(3, () -> {
            LedgerLog log = broker.create(spec, POLICY);
            append(log, "kept ", 9);
            log.close();
            assertThat(audit().notFull()).isEmpty();
            String gone = cluster.bookies().get(2).id();
            cluster.bookies().get(2).close();
            awaitWritable(2);
            DepthRange hole = onlyHole();
            assertThat(hole.fromOffset()).isZero();
            assertThat(hole.toOffset()).isEqualTo(9);
            assertThat(hole.lacking()).containsOnlyKeys(gone).containsValue(CopyState.UNREACHABLE);
            cluster.addBookie();
            awaitWritable(3);
            completes(byKeeper, 0, 9, 1);
        });
    }

    @Test
    void theLedgerInUseIsEndedWhenItsBookiesAreBackAndItsCopiesAreCompletedWithoutALossOrAnotherWrite()
            throws Exception {
        inCluster(3, () -> {
            try (LedgerLog log = broker.create(spec, POLICY);
                    CopyKeeper keeper = keeper(log, true)) {
                keeper.start();
                append(log, "on all ", 5);
                cluster.bookies().get(1).close();
                awaitWritable(2);
                append(log, "on two ", 8);
                KeptDepth away = await(keeper, 13, 13);
                assertThat(away.counts().atAckQuorum()).isEqualTo(13);
                assertThat(keeper.streams()).singleElement().satisfies(s -> {
                    assertThat(s.counts().atAckQuorum()).isEqualTo(13);
                    assertThat(s.unaudited()).isZero();
                });
                long open = log.ledgers().getLast().ledgerId();

                cluster.restart(1);
                awaitWritable(3);
                long backNanos = System.nanoTime();
                assertThat(await(keeper, 0, 13).written()).isEqualTo(8);
                System.out.println("below Qw → 0 after the bookie was back: "
                        + Duration.ofNanos(System.nanoTime() - backNanos).toMillis() + " ms");
                assertThat(log.ledgers().getFirst().ledgerId()).isEqualTo(open);
                assertThat(log.ledgers().getFirst().open()).isFalse();
                append(log, "after ", 3);
                assertThat(LedgerFixture.readAll(log, 0)).hasSize(16);
                await(keeper, 0, 16);
            }
            assertThat(audit().notFull()).isEmpty();
        });
    }

    @Test
    void whatNoBookieHasIsToldByItsOffsetsUntilItIsKeptAndThenNoMore() throws Exception {
        notKept = 1;
        inCluster(3, () -> {
            LedgerLog log = broker.create(spec, POLICY);
            append(log, "kept ", 4);
            log.close();
            for (int i = 0; i < 3; i++) {
                DepthTest.flip(cluster, i, "kept 2");
            }
            awaitWritable(3);
            try (LedgerLog reopened = (LedgerLog) broker.reopen(spec, POLICY);
                    CopyKeeper keeper = keeper(reopened, true)) {
                keeper.start();
                KeptDepth told = await(keeper, 1, 4);
                assertThat(told.counts().lost()).isEqualTo(1);
                assertThat(told.ranges().getFirst().fromOffset()).isEqualTo(2);
                assertThat(told.ranges().getFirst().toOffset()).isEqualTo(3);
                assertThat(told.failures()).singleElement().asString().contains("No bookie has a good copy of entry 2");
                Awaitility.await("told again").atMost(Duration.ofSeconds(30)).until(() -> lost.size() == 2);
                Awaitility.await("another look").atMost(Duration.ofSeconds(30)).until(() -> !told.lookedAt()
                        .equals(keeper.kept(spec).lookedAt()));
                assertThat(lost).hasSize(2).allSatisfy(range -> assertThat(range.fromOffset())
                        .isEqualTo(2));
                assertThat(toldAgain).containsExactly(false, true);
            }
        });
    }
}
