// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.bench.ClosedLoop;
import io.keptlog.bench.ClosedLoop.Result;
import io.keptlog.bench.TargetDirectory;
import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.metadata.Metadata;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.QuorumPolicy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.apache.bookkeeper.client.api.LedgerEntries;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Produce through a broker against a raw BookKeeper client that adds entries of the same size, with the same quorums and as many at once, to
 * the same bookies, in turns. One run, one table (printed, and left in target/cluster-bench.md). {@code bench/cluster.sh}.
 */
@Tag("bench")
class ClusterBenchIT {
    private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("bench.seconds", 4));
    private static final int TURNS = Integer.getInteger("bench.turns", 3);
    /** All JVMs must have compiled what is measured. */
    private static final Duration FIRST_WARM_UP = Duration.ofSeconds(Integer.getInteger("bench.warm.seconds", 25));

    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final QuorumPolicy POLICY = new QuorumPolicy(2, 2, 2);

    @TempDir(factory = TargetDirectory.class)
    Path directory;

    private final List<String> table = new ArrayList<>();
    private ClusterProcesses cluster;
    private LedgerClient client;
    private String token;

    @Test
    void measureAgainstARawClient() throws Exception {
        table.add("| what | HTTP /s | raw /s | ratio | HTTP p50 µs | raw p50 µs | HTTP p99 µs | raw p99 µs |");
        table.add("|---|---|---|---|---|---|---|---|");
        try (var processes = new ClusterProcesses(directory, 2, 1, "--broker-heap=1024")) {
            cluster = processes;
            int zooKeeper = Integer.parseInt(
                    Files.readString(directory.resolve("zookeeper").resolve("port"))
                            .strip());
            var metadata = new Metadata("zk:127.0.0.1:" + zooKeeper, 10_000);
            client = new LedgerClient(metadata.store(), "zk+hierarchical://127.0.0.1:" + zooKeeper + "/ledgers", 3);
            try (metadata) {
                token = login();
                for (String durability : List.of("replicated", "persisted")) {
                    compare("1 × 1 KB, " + durability + ", 64 at once", durability, body(1, 1024), 64);
                }
                compare("1,000 × 256 B, replicated, 64 at once", "replicated", body(1000, 256), 64);
                compare("1 × 1 KB, replicated, one at a time", "replicated", body(1, 1024), 1);
                compare("1 × 1 KB, persisted, one at a time", "persisted", body(1, 1024), 1);
            } finally {
                client.close();
            }
        }
        String report = String.join("\n", table) + "\n";
        Files.writeString(Path.of("target", "cluster-bench.md"), report);
        System.out.println(report);
    }

    private String login() throws Exception {
        return cluster.send(
                        cluster.brokers.getFirst(),
                        "POST",
                        "/users/login",
                        "{\"username\":\"root\",\"password\":\"root-password\"}")
                .json()
                .at("/access_token/token")
                .asString();
    }

    /** All to partition 0. */
    private static byte[] body(int messages, int payloadBytes) {
        var random = new Random(42);
        var json = new StringBuilder(
                "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"AAAAAA==\"},\"messages\":[");
        for (int i = 0; i < messages; i++) {
            var payload = new byte[payloadBytes];
            random.nextBytes(payload);
            json.append(i == 0 ? "" : ",")
                    .append("{\"payload\":\"")
                    .append(Base64.getEncoder().encodeToString(payload))
                    .append("\"}");
        }
        return json.append("]}").toString().getBytes(StandardCharsets.US_ASCII);
    }

    private void compare(String what, String durability, byte[] body, int atOnce) throws Exception {
        Result http = null;
        Result raw = null;
        for (int turn = 0; turn < TURNS; turn++) {
            String stream = "bench" + System.nanoTime();
            cluster.createTopic(
                    stream,
                    Map.of("ensemble_size", "2", "write_quorum", "2", "ack_quorum", "2"),
                    "topic",
                    1,
                    durability);
            String owner = cluster.brokers.getFirst();
            assertThat(cluster.send(owner, "POST", path(stream), new String(body, StandardCharsets.US_ASCII))
                            .status())
                    .isEqualTo(201);
            Duration warmUp = table.size() == 2 && turn == 0 ? FIRST_WARM_UP : WARM_UP;
            http = and(http, new ClosedLoop(port(owner), request(stream, body), 201).run(atOnce, warmUp, MEASURED));
            raw = and(raw, RawAdds.run(client, POLICY, entryBytes(stream, owner), atOnce, warmUp, MEASURED));
            assertThat(cluster.send(owner, "DELETE", "/streams/" + stream, null).status())
                    .isEqualTo(204);
        }
        row(what, http, raw);
    }

    /** All turns together: a good moment of one side says nothing. */
    private static Result and(Result a, Result b) {
        if (a == null) {
            return b;
        }
        var nanos = a.nanos().copy();
        nanos.add(b.nanos());
        return new Result(a.answers() + b.answers(), a.seconds() + b.seconds(), nanos, a.refusedNanos());
    }

    private static String path(String stream) {
        return "/streams/" + stream + "/topics/topic/messages";
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    private byte[] request(String stream, byte[] body) {
        byte[] head = ("POST " + path(stream) + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " + token
                        + "\r\nContent-Type: application/json\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        var all = new byte[head.length + body.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(body, 0, all, head.length, body.length);
        return all;
    }

    /** How large the entries are that the topic's produces became. */
    private int entryBytes(String stream, String owner) throws Exception {
        long ledger = cluster.send(owner, "GET", "/streams/" + stream + "/topics/topic/partitions/0/replication", null)
                .json()
                .at("/ledgers/0/ledger_id")
                .asLong();
        var deadline = Deadline.inMillis(10_000);
        ReadHandle handle = Waits.result(client.openForRead(ledger), deadline);
        try (LedgerEntries entries = Waits.result(handle.readUnconfirmedAsync(0, 0), deadline)) {
            return entries.getEntry(0).getEntryBytes().length;
        } finally {
            handle.close();
        }
    }

    private void row(String what, Result http, Result raw) {
        String line = String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.2f | %.0f | %.0f | %.0f | %.0f |",
                what,
                http.perSecond(),
                raw.perSecond(),
                http.perSecond() / raw.perSecond(),
                http.micros(50),
                raw.micros(50),
                http.micros(99),
                raw.micros(99));
        System.out.println(line);
        table.add(line);
    }
}
