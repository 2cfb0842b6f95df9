// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * One bookie is frozen under load while the others are enough for every acknowledgement (Qa below Qw). What it has not answered must not pile up
 * in the broker: {@code -Dfrozen.seconds=60} for the long one.
 */
@Tag("long")
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class SlowBookieIT {
    private static final int SECONDS = Integer.getInteger("frozen.seconds", 20);
    private static final int WRITERS = 8;
    private static final long PENDING_BYTES = 8 << 20;
    /** Copies on their way through sockets, and what the heap's collector leaves to the system. */
    private static final long SLACK_BYTES = 160L << 20;

    @TempDir
    static Path directory;

    private static ClusterProcesses cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = new ClusterProcesses(
                directory, 3, 1, "--broker-heap=256", "--broker-arg=--keptlog.cluster.pending-bytes=8MB");
    }

    @AfterAll
    static void stop() throws Exception {
        cluster.close();
    }

    @Test
    void aFrozenBookieOfThreeIsBoundedByTheBudgetAndTheServiceComesBackByItself() throws Exception {
        freezeOne("three", Map.of("ensemble_size", "3", "write_quorum", "3", "ack_quorum", "2"));
    }

    /** Pulsar #14861: the broker ran out of memory. */
    @Test
    void aFrozenBookieOfTwoWithOneAcknowledgementIsBoundedByTheBudget() throws Exception {
        freezeOne("two", Map.of("ensemble_size", "2", "write_quorum", "2", "ack_quorum", "1"));
    }

    /** Producers that never pause, and what they were told. */
    private static final class Load implements AutoCloseable {
        private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        private final AtomicBoolean stopped = new AtomicBoolean();
        final AtomicInteger stored = new AtomicInteger();
        final AtomicInteger busy = new AtomicInteger();
        final AtomicReference<String> odd = new AtomicReference<>();

        Load(String stream) {
            String payload = "x".repeat(100_000);
            for (int i = 0; i < WRITERS; i++) {
                threads.submit(() -> {
                    while (!stopped.get()) {
                        look(cluster.produce(cluster.brokers.getFirst(), stream, "topic", 0, payload));
                    }
                    return null;
                });
            }
        }

        private void look(ClusterProcesses.Reply reply) {
            if (reply.status() == 201) {
                stored.incrementAndGet();
                return;
            }
            boolean told = reply.status() == 503
                    && reply.response().headers().firstValue("Retry-After").isPresent();
            if (told && reply.body().contains("server_busy")) {
                busy.incrementAndGet();
            } else if (reply.status() != 504 && !told) {
                odd.compareAndSet(null, reply.status() + " " + reply.body());
            }
            LockSupport.parkNanos(20_000_000);
        }

        @Override
        public void close() {
            stopped.set(true);
            threads.close();
        }
    }

    private static void freezeOne(String stream, Map<String, String> policy) throws Exception {
        String at = cluster.brokers.getFirst();
        cluster.createTopic(stream, policy, "topic", 1, "replicated");
        Awaitility.await("all bookies are registered")
                .atMost(Duration.ofSeconds(90))
                .until(() -> cluster.produce(at, stream, "topic", 0, "first").status() == 201);
        String bookie = cluster.send(at, "GET", "/streams/" + stream + "/topics/topic/partitions/0/replication", null)
                .json()
                .at("/ledgers/0/ensembles/0/bookies/0")
                .asString();
        String name = cluster.bookies.entrySet().stream()
                .filter(e -> e.getValue().equals(bookie))
                .findFirst()
                .orElseThrow()
                .getKey();
        try (var load = new Load(stream)) {
            awaitStored(load, 400);
            long before = residentBytes();
            cluster.signal(name, "STOP");
            List<Long> during;
            try {
                during = watch(bookie);
            } finally {
                cluster.signal(name, "CONT");
            }
            int refused = load.busy.get();
            int stored = load.stored.get();
            long frozenMax = Collections.max(during);
            long began = System.nanoTime();
            awaitStored(load, 400);
            awaitNobodyRefused(load);
            System.out.printf(
                    Locale.ROOT,
                    "frozen %d s, %s: resident %d MB before, at most %d MB meanwhile; stored %d, refused as busy %d; after it 400 stored"
                            + " and nobody refused for 2 s within %.1f s%n",
                    SECONDS,
                    policy,
                    before >> 20,
                    frozenMax >> 20,
                    stored,
                    refused,
                    (System.nanoTime() - began) / 1e9);
            assertThat(frozenMax).isLessThan(before + PENDING_BYTES + SLACK_BYTES);
            assertThat(refused)
                    .as("the load is more than the budget takes while a bookie does not answer")
                    .isPositive();
            assertThat(load.odd.get()).isNull();
        }
    }

    /** @return resident bytes of the broker, from one second to the next; a gauge must have named the bookie */
    private static List<Long> watch(String bookie) throws Exception {
        var resident = new ArrayList<Long>();
        long most = 0;
        boolean named = false;
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() < until) {
            resident.add(residentBytes());
            String metrics = cluster.send(cluster.brokers.getFirst(), "GET", "/actuator/prometheus", null)
                    .body();
            most = Math.max(most, (long) gauge(metrics, "keptlog_cluster_pending_bytes"));
            named |= gauge(metrics, "keptlog_bookie_answers{bookie=\"" + bookie + "\"}") == 0;
            Thread.sleep(1_000);
        }
        System.out.println("pending bytes: at most " + most);
        assertThat(named).as("a gauge names the bookie that is behind").isTrue();
        assertThat(most).isPositive().isLessThanOrEqualTo(PENDING_BYTES);
        return resident;
    }

    private static double gauge(String metrics, String series) {
        return metrics.lines()
                .filter(l -> l.startsWith(series + " "))
                .mapToDouble(l -> Double.parseDouble(l.substring(l.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    private static void awaitStored(Load load, int more) {
        int target = load.stored.get() + more;
        Awaitility.await().atMost(Duration.ofSeconds(90)).until(() -> load.stored.get() >= target);
    }

    private static void awaitNobodyRefused(Load load) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofSeconds(2))
                .until(() -> {
                    int before = load.busy.get();
                    Thread.sleep(2_000);
                    return load.busy.get() == before;
                });
    }

    private static long residentBytes() throws Exception {
        return Files.readAllLines(Path.of("/proc", Long.toString(cluster.pids.get("broker-1")), "status")).stream()
                        .filter(l -> l.startsWith("VmRSS:"))
                        .mapToLong(l -> Long.parseLong(l.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow()
                << 10;
    }
}
