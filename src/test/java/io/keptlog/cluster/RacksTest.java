// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static io.keptlog.cluster.ledger.LedgerFixture.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.RackPolicy;
import io.keptlog.cluster.depth.DecommissionCheck;
import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.ledger.ReadOnlyLog;
import io.keptlog.cluster.metadata.RackStore;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.DecommissionReport.StrandedStream;
import io.keptlog.storage.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies over racks, and what happens when the racks are missing (requirements B10). */
class RacksTest {
    private static final QuorumPolicy POLICY = new QuorumPolicy(2, 2, 2);
    private static final RackPolicy ENFORCED = new RackPolicy(2, true);

    @TempDir
    Path directory;

    private static void place(LedgerFixture broker, LocalCluster cluster, String... racks) {
        var store = new RackStore(broker.metadata);
        for (int i = 0; i < racks.length; i++) {
            store.set(cluster.bookies().get(i).id(), racks[i]);
        }
        broker.client.bookies().racks().update(store.read());
    }

    private static void assertSpread(LedgerFixture broker, LedgerView ledger) {
        for (int e = 0; e < ledger.ensembles().values().iterator().next().size(); e++) {
            var racks = new HashSet<String>();
            ledger.bookiesOf(e)
                    .forEach(b -> racks.add(Objects.requireNonNull(
                            broker.client.bookies().racks().configured(b))));
            assertThat(racks).as("write set of entry %d in %s", e, ledger).hasSizeGreaterThan(1);
        }
    }

    private static void assertRefused(PartitionLog log, String reason) {
        assertThat(log).isInstanceOf(ReadOnlyLog.class);
        assertThatThrownBy(() -> append(log, "refused")).isInstanceOfSatisfying(KeptlogException.class, e -> {
            assertThat(e.code()).isEqualTo(ErrorCode.QUORUM_UNAVAILABLE);
            assertThat(e.reason()).contains(reason);
            assertThat(e.retryAfterSeconds()).isPositive();
        });
    }

    @Test
    void whereRacksAreEnforcedALedgerIsRefusedWithThatReasonUntilTheyAreThere() throws Exception {
        try (var cluster = new LocalCluster(directory, 4);
                var broker = new LedgerFixture(cluster, ENFORCED)) {
            PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
            PartitionLog unplaced = broker.opener.open(spec, POLICY, true, () -> 1, broker.copies(spec, POLICY));
            assertRefused(unplaced, "needs bookies in 2 racks, those that are available are in 1");
            ((ReadOnlyLog) unplaced).close();

            place(broker, cluster, "/a", "/a", "/a", "/b");
            var wide = new QuorumPolicy(4, 2, 2);
            PartitionLog uneven = broker.opener.open(spec, wide, true, () -> 2, broker.copies(spec, wide));
            assertRefused(uneven, "are not spread so");
            ((ReadOnlyLog) uneven).close();

            place(broker, cluster, "/a", "/a", "/b", "/b");
            try (LedgerLog log =
                    (LedgerLog) broker.opener.open(spec, POLICY, true, () -> 3, broker.copies(spec, POLICY))) {
                for (int i = 0; i < 8; i++) {
                    append(log, "message " + i);
                    log.requestRoll();
                    log.maintain(POLICY);
                    append(log, "last of its ledger " + i);
                }
                List<LedgerView> ledgers = log.ledgers();
                assertThat(ledgers).hasSizeGreaterThan(7);
                ledgers.forEach(l -> assertSpread(broker, l));
            }
        }
    }

    @Test
    void anOpenLedgerGoesOnWhenTheRacksAreGoneAndTheNextOneWaitsForThem() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                var broker = new LedgerFixture(cluster, ENFORCED)) {
            place(broker, cluster, "/a", "/b");
            PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
            try (LedgerLog log = broker.create(spec, POLICY)) {
                append(log, "placed");
                place(broker, cluster, "/a", "/a");
                log.requestRoll();
                log.endLedger();
                for (int i = 0; i < 5; i++) {
                    log.maintain(POLICY);
                    append(log, "goes on " + i);
                }
                assertThat(log.ledgers()).hasSize(1);
                place(broker, cluster, "/a", "/b");
                log.maintain(POLICY);
                append(log, "the last");
                append(log, "the next");
                assertThat(LedgerFixture.readAll(log, 0)).hasSize(8);
                assertThat(log.ledgers()).hasSize(2);
            }
        }
    }

    @Test
    void aBookieThatIsTheLastOfARackIsNotSafeToTakeAwayWhereRacksAreEnforced() throws Exception {
        try (var cluster = new LocalCluster(directory, 3);
                var broker = new LedgerFixture(cluster, ENFORCED)) {
            place(broker, cluster, "/a", "/a", "/b");
            var check = new DecommissionCheck(broker.client);
            var streams = List.of(new StrandedStream(1, "orders", POLICY));
            assertThat(check.check(cluster.bookies().get(0).id(), streams, Deadline.inMillis(10_000))
                            .streams())
                    .isEmpty();
            assertThat(check.check(cluster.bookies().get(2).id(), streams, Deadline.inMillis(10_000))
                            .streams())
                    .isEqualTo(streams);
        }
    }

    @Test
    void whereTheyAreNotEnforcedALedgerIsMadeWithoutThemAndSpreadWithThem() throws Exception {
        try (var cluster = new LocalCluster(directory, 3);
                var broker = new LedgerFixture(cluster)) {
            PartitionSpec spec = LedgerFixture.newSpec(Durability.PERSISTED);
            try (LedgerLog log = broker.create(spec, POLICY)) {
                append(log, "without");
            }
            place(broker, cluster, "/a", "/a", "/b");
            for (int i = 0; i < 6; i++) {
                PartitionSpec next = LedgerFixture.newSpec(Durability.PERSISTED);
                try (LedgerLog log = broker.create(next, POLICY)) {
                    append(log, "with");
                    assertSpread(broker, log.ledgers().getFirst());
                }
            }
        }
    }

    @Test
    void racksAreReadAndWrittenWhereAndAsPulsarDoesAndWhatOthersHavePutThereStays() throws Exception {
        try (var cluster = new LocalCluster(directory, 1);
                var broker = new LedgerFixture(cluster)) {
            var store = new RackStore(broker.metadata);
            assertThat(store.read()).isEmpty();
            broker.metadata.create(
                    "/bookies",
                    "{\"group1\":{\"10.0.0.1:3181\":{\"rack\":\"/eu/r1\",\"hostname\":\"one.example.org\"}}}"
                            .getBytes(StandardCharsets.UTF_8));
            assertThat(store.read()).containsExactly(Map.entry("10.0.0.1:3181", "/eu/r1"));
            store.set("10.0.0.1:3181", "/r2");
            store.set("10.0.0.2:3181", "/r3");
            assertThat(new String(
                            Objects.requireNonNull(broker.metadata.get("/bookies"))
                                    .bytes(),
                            StandardCharsets.UTF_8))
                    .isEqualTo("{\"group1\":{\"10.0.0.1:3181\":{\"rack\":\"/r2\",\"hostname\":\"one.example.org\"}},"
                            + "\"default\":{\"10.0.0.2:3181\":{\"rack\":\"/r3\"}}}");
            store.set("10.0.0.2:3181", null);
            assertThat(store.read()).containsExactly(Map.entry("10.0.0.1:3181", "/r2"));
        }
    }

    @Test
    void aRackThatOneBrokerIsToldOfIsKnownToTheOthers() throws Exception {
        try (var cluster = new LocalCluster(directory, 1);
                ClusterStore first = ClusterStoreTest.open(cluster, "first");
                ClusterStore second = ClusterStoreTest.open(cluster, "second")) {
            String bookie = cluster.bookies().getFirst().id();
            first.replication().setRack(bookie, "/here");
            for (ClusterStore store : List.of(first, second)) {
                Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(
                                store.replication().bookies())
                        .singleElement()
                        .satisfies(b -> assertThat(b.rack()).isEqualTo("/here")));
            }
        }
    }
}
