// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes on one machine: ZooKeeper, four bookies, AutoRecovery, two brokers. The order spares restarts: what is killed stays dead. */
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class ClusterIT {
    @TempDir
    static Path directory;

    private static ClusterProcesses cluster;

    /** What was answered with 201. */
    private record Acked(int partition, long offset, String payload) {}

    @BeforeAll
    static void start() throws Exception {
        cluster = new ClusterProcesses(directory, 4, 2, "--broker-arg=--keptlog.write-timeout=20s");
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    /** Producers until they are told to stop; what was acknowledged, and what was refused. */
    private static final class Load implements AutoCloseable {
        final ConcurrentLinkedQueue<Acked> acked = new ConcurrentLinkedQueue<>();
        final ConcurrentLinkedQueue<String> failed = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final java.util.concurrent.ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

        Load(String address, String stream, int partitions, int producers) {
            var numbers = new AtomicInteger();
            for (int p = 0; p < producers; p++) {
                int partition = p % partitions;
                threads.submit(() -> {
                    while (!stopped.get()) {
                        String payload = "m" + numbers.getAndIncrement();
                        try {
                            var reply = cluster.produce(address, stream, "topic", partition, payload);
                            if (reply.status() == 201) {
                                var confirmation =
                                        reply.json().get("confirmations").get(0);
                                acked.add(new Acked(
                                        partition,
                                        confirmation.get("base_offset").asLong(),
                                        payload));
                            } else {
                                failed.add(reply.status() + " " + reply.body());
                            }
                        } catch (Exception e) {
                            failed.add(e.toString());
                        }
                    }
                });
            }
        }

        void awaitAcked(int more) {
            int target = acked.size() + more;
            Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(acked.size())
                    .as("acknowledged; failed: %s", failed)
                    .isGreaterThanOrEqualTo(target));
        }

        @Override
        public void close() throws Exception {
            stopped.set(true);
            threads.shutdown();
            if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
                throw new AssertionError("producers do not end");
            }
        }
    }

    private static void assertKept(String address, String stream, int partitions, Iterable<Acked> acked)
            throws Exception {
        var stored = new ArrayList<List<String>>();
        for (int p = 0; p < partitions; p++) {
            stored.add(cluster.readAll(address, stream, "topic", p));
        }
        for (Acked one : acked) {
            assertThat(stored.get(one.partition()).get((int) one.offset())).isEqualTo(one.payload());
        }
    }

    @Test
    @Order(1)
    void theRealAdminClientOfPulsarSetsReadsAndRemovesThePolicyAndIsToldWhatIsWrong() throws Exception {
        cluster.createTopic("pulsar", Map.of(), "topic", 1);
        String token = cluster.send(
                        cluster.brokers.getFirst(),
                        "POST",
                        "/users/login",
                        "{\"username\":\"root\",\"password\":\"root-password\"}")
                .json()
                .get("access_token")
                .get("token")
                .asString();
        Map<String, String> told = PulsarAdminCalls.isolated(cluster.brokers.getLast(), token, "public/pulsar");
        assertThat(told).containsEntry("set", "[3, 3, 2]");
        assertThat(told.get("refused")).startsWith("412").contains("does not hold: 2, 3, 2");
        assertThat(told).containsEntry("kept", "[3, 3, 2]").containsEntry("removed", "[0, 0, 0]");
        assertThat(told.get("absent")).startsWith("404");
    }

    @Test
    @Order(2)
    void aPolicyChangesWithTheNextLedgerAndEntriesAreStriped() throws Exception {
        cluster.createTopic("policy", Map.of("ensemble_size", "4", "write_quorum", "3", "ack_quorum", "2"), "topic", 1);
        String at = cluster.brokers.getFirst();
        for (int i = 0; i < 10; i++) {
            assertThat(cluster.produce(at, "policy", "topic", 0, "x" + i).status())
                    .isEqualTo(201);
        }
        var before = cluster.send(at, "GET", "/streams/policy/topics/topic/partitions/0/replication", null)
                .json();
        assertThat(before.get("ledgers").size()).isEqualTo(1);
        var ensemble = before.get("ledgers").get(0).get("ensembles").get(0).get("bookies");
        for (int e = 0; e < 10; e++) {
            var bookies = before.get("entries").get(e).get("bookies");
            for (int i = 0; i < 3; i++) {
                assertThat(bookies.get(i)).isEqualTo(ensemble.get((e + i) % 4));
            }
        }
        assertThat(cluster.send(
                                at,
                                "PUT",
                                "/streams/policy",
                                "{\"name\":\"policy\",\"options\":{\"ensemble_size\":\"2\"}}")
                        .status())
                .as("2, 3, 2 is no policy")
                .isEqualTo(400);
        var changed = cluster.send(
                at,
                "PUT",
                "/streams/policy",
                "{\"name\":\"policy\",\"options\":{\"ensemble_size\":\"2\",\"write_quorum\":\"2\",\"ack_quorum\":\"1\"}}");
        assertThat(changed.status()).isEqualTo(204);
        assertThat(changed.response().headers().allValues("Keptlog-Warning"))
                .containsExactly("ack_quorum_one", "ack_below_write_quorum");
        Awaitility.await("the next ledger has the new policy")
                .atMost(Duration.ofSeconds(30))
                .until(() -> {
                    var reply = cluster.produce(at, "policy", "topic", 0, "later");
                    assertThat(reply.status()).isEqualTo(201);
                    return reply.json()
                                    .get("confirmations")
                                    .get(0)
                                    .get("copies")
                                    .asInt()
                            == 1;
                });
        var after = cluster.send(at, "GET", "/streams/policy/topics/topic/partitions/0/replication", null)
                .json();
        assertThat(after.get("ledgers")
                        .get(0)
                        .get("policy")
                        .get("ensemble_size")
                        .asInt())
                .isEqualTo(4);
        assertThat(after.get("ledgers")
                        .get(after.get("ledgers").size() - 1)
                        .get("policy")
                        .get("ack_quorum")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    @Order(3)
    void aFrozenBrokerThatWakesAcknowledgesNothingThatIsNotKept() throws Exception {
        cluster.createTopic("frozen", Map.of(), "topic", 4);
        String first = cluster.brokers.getFirst();
        String second = cluster.brokers.getLast();
        try (var load = new Load(first, "frozen", 4, 8)) {
            load.awaitAcked(200);
            cluster.signal("broker-1", "STOP");
            try (var takeOver = new Load(second, "frozen", 4, 4)) {
                takeOver.awaitAcked(200);
                cluster.signal("broker-1", "CONT");
                takeOver.awaitAcked(100);
                load.awaitAcked(50);
                takeOver.close();
                load.close();
                assertKept(second, "frozen", 4, load.acked);
                assertKept(first, "frozen", 4, takeOver.acked);
            }
        }
    }

    @Test
    @Order(4)
    void aBookieKilledUnderLoadFailsNoProduceAndLosesNothing() throws Exception {
        cluster.createTopic("bookie", Map.of("ensemble_size", "3", "write_quorum", "3", "ack_quorum", "2"), "topic", 4);
        String first = cluster.brokers.getFirst();
        try (var load = new Load(first, "bookie", 4, 8)) {
            load.awaitAcked(300);
            cluster.signal("bookie-4", "KILL");
            load.awaitAcked(600);
            load.close();
            assertThat(load.failed).isEmpty();
            assertKept(cluster.brokers.getLast(), "bookie", 4, load.acked);
        }
    }

    @Test
    @Order(5)
    void withFewerThanEBookiesOpenLedgersGoOnAndNewOnesAreRefusedWithTheNumbersUntilTheyAreBack() throws Exception {
        // Three bookies are left. E = 3, Qa = 2: with two of them the open ledger goes on.
        cluster.createTopic("few", Map.of("ensemble_size", "3", "write_quorum", "3", "ack_quorum", "2"), "topic", 1);
        String at = cluster.brokers.getFirst();
        var acked = new ArrayList<Acked>();
        for (int i = 0; i < 20; i++) {
            ack(acked, at, "few", "before" + i);
        }
        cluster.signal("bookie-3", "KILL");
        for (int i = 0; i < 200; i++) {
            ack(acked, at, "few", "during" + i);
        }
        awaitWritableBookies(at, 2);
        // A new partition needs a new ledger.
        cluster.createTopic("none", Map.of("ensemble_size", "3", "write_quorum", "3", "ack_quorum", "2"), "topic", 1);
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            var refused = cluster.produce(at, "none", "topic", 0, "refused");
            assertThat(refused.status()).isEqualTo(503);
            assertThat(refused.body()).contains("needs 3 bookies, 2 are available");
        });
        Process back = cluster.restartBookie("bookie-3", directory);
        try {
            Awaitility.await("writing resumes by itself")
                    .atMost(Duration.ofSeconds(180))
                    .until(() ->
                            cluster.produce(at, "none", "topic", 0, "taken").status() == 201);
            ack(acked, at, "few", "after");
            assertKept(cluster.brokers.getLast(), "few", 1, acked);
            ownerKilledUnderLoad();
        } finally {
            back.destroy();
        }
    }

    /** A dead bookie is listed until its session ends. */
    private static void awaitWritableBookies(String at, int count) throws Exception {
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            var bookies = cluster.send(at, "GET", "/bookies", null);
            int writable = 0;
            for (var bookie : bookies.json()) {
                writable += bookie.get("writable").asBoolean() ? 1 : 0;
            }
            assertThat(writable).as(bookies.body()).isEqualTo(count);
        });
    }

    private static void ack(List<Acked> acked, String at, String stream, String payload) throws Exception {
        var reply = cluster.produce(at, stream, "topic", 0, payload);
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
        acked.add(new Acked(
                0, reply.json().get("confirmations").get(0).get("base_offset").asLong(), payload));
    }

    /** The last thing: broker 1 does not come back. */
    private static void ownerKilledUnderLoad() throws Exception {
        cluster.createTopic("killed", Map.of(), "topic", 4);
        String second = cluster.brokers.getLast();
        try (var load = new Load(cluster.brokers.getFirst(), "killed", 4, 8)) {
            load.awaitAcked(300);
            cluster.signal("broker-1", "KILL");
            for (int p = 0; p < 4; p++) {
                int partition = p;
                Awaitility.await("served again")
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> cluster.produce(second, "killed", "topic", partition, "after")
                                        .status()
                                == 201);
            }
            load.close();
            assertKept(second, "killed", 4, load.acked);
        }
    }
}
