// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.bench.ClosedLoop.Result;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One run, one table (printed, and left in target/bench.md): each of the product's end points against one that does nothing, in turns,
 * so that both meet the same machine; syncs per ack; the restart with a log of 1 GiB; the heap. Seconds per measurement:
 * {@code -Dbench.seconds=5}.
 */
@Tag("bench")
class BenchIT {
    private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("bench.seconds", 5));
    /** Both JVMs must have compiled what is measured. */
    private static final Duration WARM_UP = MEASURED.multipliedBy(2);

    private static final int TURNS = 2;
    private static final String JSON = "application/json";
    private static final int GIBIBYTE_MESSAGES = 1074;
    private static final int MESSAGE_BYTES = 1_000_000;

    @TempDir(factory = TargetDirectory.class)
    Path directory;

    private final List<String> table = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /** Best of the turns, on each side. */
    private record Pair(Result product, Result noop) {
        double ratio() {
            return product.perSecond() / noop.perSecond();
        }
    }

    /** What makes a request with one topic's path in it. */
    private interface OnTopic {
        byte[] request(String topic);
    }

    @Test
    void measureAgainstEndPointsThatDoNothing() throws IOException {
        table.add("| what | product /s | no-op /s | ratio | p50 µs | p99 µs | no-op p50 µs |");
        table.add("|---|---|---|---|---|---|---|");
        try (Setup setup = new Setup(directory)) {
            note(DiskProbe.measure(directory).toString());
            produceSingles(setup);
            produceBatches(setup);
            note(DiskProbe.measure(directory).toString());
            polls(setup);
            syncsPerAck(setup);
            heap(setup);
        }
        restart();
        String report = String.join("\n", table) + "\n\n" + String.join("\n", notes) + "\n";
        Files.writeString(Path.of("target", "bench.md"), report);
        System.out.println(report);
    }

    private void produceSingles(Setup setup) {
        byte[] body = Setup.messages(1, 1024);
        for (int connections : new int[] {1, 64}) {
            for (String level : List.of("replicated", "persisted")) {
                Pair pair = compare(setup, level, connections, "/read", body);
                row("produce 1 × 1 KB, " + level + ", " + connections + " connections", pair);
            }
        }
    }

    private void produceBatches(Setup setup) {
        for (int messages : new int[] {100, 1000}) {
            byte[] body = Setup.messages(messages, 256);
            for (int connections : new int[] {1, 16}) {
                Pair pair = compare(setup, "replicated", connections, "/parse", body);
                row(
                        "produce " + messages + " × 256 B, replicated, " + connections + " connections, no-op parses",
                        pair);
            }
            row(
                    "produce " + messages + " × 256 B, replicated, 16 connections, no-op parses and writes",
                    compare(setup, "replicated", 16, "/write", body));
        }
        byte[] body = Setup.messages(1, 1024);
        row(
                "produce 1 × 1 KB, replicated, 64 connections, no-op parses and writes",
                compare(setup, "replicated", 64, "/write", body));
        for (String level : List.of("replicated", "persisted")) {
            row(
                    "produce 1 × 1 KB, " + level + ", 64 connections, no-op parses",
                    compare(setup, level, 64, "/parse", body));
        }
    }

    private Pair compare(Setup setup, String level, int connections, String noopPath, byte[] body) {
        return inTurns(
                setup,
                level,
                connections,
                topic -> setup.post(topic + "/messages", JSON, body),
                setup.post(noopPath, JSON, body),
                201);
    }

    /** Product, no-op, product, no-op; a topic of its own for each turn, deleted afterwards. */
    private Pair inTurns(Setup setup, String level, int connections, OnTopic product, byte[] noop, int status) {
        Result best = null;
        Result bestNoop = null;
        for (int turn = 0; turn < TURNS; turn++) {
            String topic = setup.topic("turn" + System.nanoTime(), level);
            best = better(
                    best,
                    new ClosedLoop(setup.product.port(), product.request(topic), status)
                            .run(connections, WARM_UP, MEASURED));
            setup.client.delete(topic).expect(204);
            bestNoop = better(
                    bestNoop, new ClosedLoop(setup.noop.port(), noop, status).run(connections, WARM_UP, MEASURED));
        }
        return new Pair(java.util.Objects.requireNonNull(best), java.util.Objects.requireNonNull(bestNoop));
    }

    private static Result better(@org.jspecify.annotations.Nullable Result a, Result b) {
        return a != null && a.perSecond() >= b.perSecond() ? a : b;
    }

    private void polls(Setup setup) {
        String topic = setup.topic("polled", "replicated");
        setup.client
                .send(
                        "POST",
                        topic + "/messages",
                        BodyPublishers.ofByteArray(Setup.messages(1000, 256)),
                        "Content-Type",
                        JSON)
                .expect(201);
        for (int count : new int[] {1, 1000}) {
            String path = topic + "/messages?partition_id=0&kind=offset&value=0&count=" + count;
            byte[] reply = setup.client.get(path, "Accept", JSON).expect(200).body();
            assertThat(new Client(
                                    java.net.URI.create("http://127.0.0.1:" + setup.noop.port()),
                                    ServerProcess.USERNAME,
                                    ServerProcess.PASSWORD)
                            .send("PUT", "/memory", BodyPublishers.ofByteArray(reply))
                            .status())
                    .isEqualTo(200);
            for (int connections : new int[] {1, 16}) {
                Result best = null;
                Result bestNoop = null;
                for (int turn = 0; turn < TURNS; turn++) {
                    best = better(
                            best,
                            new ClosedLoop(setup.product.port(), setup.get(path), 200)
                                    .run(connections, WARM_UP, MEASURED));
                    bestNoop = better(
                            bestNoop,
                            new ClosedLoop(setup.noop.port(), setup.get("/memory"), 200)
                                    .run(connections, WARM_UP, MEASURED));
                }
                row(
                        "poll " + count + " × 256 B, " + reply.length + " bytes, " + connections
                                + " connections, no-op from memory",
                        new Pair(best, bestNoop));
            }
        }
    }

    private void syncsPerAck(Setup setup) throws IOException {
        byte[] body = Setup.messages(1, 1024);
        for (String level : List.of("persisted", "replicated")) {
            for (int connections : new int[] {1, 64}) {
                String topic = setup.topic("syncs" + System.nanoTime(), level);
                byte[] request = setup.post(topic + "/messages", JSON, body);
                new ClosedLoop(setup.product.port(), request, 201).run(connections, WARM_UP, Duration.ofMillis(1));
                Scrape before = Scrape.of(setup.client);
                long messagesBefore = messages(setup.client, topic);
                new ClosedLoop(setup.product.port(), request, 201).run(connections, Duration.ZERO, MEASURED);
                Scrape after = Scrape.of(setup.client);
                double acks = messages(setup.client, topic) - messagesBefore;
                double forAcks = syncs(after, "ack") - syncs(before, "ack");
                double all = syncs(after, "") - syncs(before, "");
                note(String.format(
                        Locale.ROOT,
                        "syncs per ack, %s, %d connections: %.4f for acks, %.4f in all (%.0f acks, %.0f syncs)",
                        level,
                        connections,
                        forAcks / acks,
                        all / acks,
                        acks,
                        all));
                assertThat(forAcks).as("never more than one sync per ack").isLessThanOrEqualTo(acks + connections);
                if (level.equals("replicated")) {
                    assertThat(forAcks).as("no replicated ack asks for a sync").isZero();
                }
                if (level.equals("persisted") && connections == 1) {
                    serverSide(before, after);
                }
                setup.client.delete(topic).expect(204);
            }
        }
    }

    /** The server's own time of a persisted produce beside what the disk alone takes, one after the other. */
    private void serverSide(Scrape before, Scrape after) throws IOException {
        double request = meanMicros(
                before,
                after,
                "http_server_requests_seconds",
                line -> line.contains("method=\"POST\"") && line.contains("status=\"201\""));
        double sync = meanMicros(before, after, "keptlog_sync_seconds", line -> line.contains("reason=\"ack\""));
        double raw = DiskProbe.measure(directory).p50Micros();
        note(String.format(
                Locale.ROOT,
                "persisted, 1 connection: %.0f µs in the server on average, of that %.0f µs the sync; the disk alone %.0f µs (p50): %.2f",
                request,
                sync,
                raw,
                request / raw));
    }

    private static double meanMicros(Scrape before, Scrape after, String meter, Predicate<String> which) {
        double count = after.sum(meter + "_count", which) - before.sum(meter + "_count", which);
        double seconds = after.sum(meter + "_sum", which) - before.sum(meter + "_sum", which);
        return seconds / count * 1e6;
    }

    private static double syncs(Scrape scrape, String reason) {
        return scrape.sum("keptlog_sync_seconds_count", line -> line.contains("reason=\"" + reason));
    }

    private static long messages(Client client, String topic) {
        return client.get(topic).expect(200).json().path("messages_count").asLong();
    }

    private void heap(Setup setup) {
        byte[] single = Setup.messages(1, 1024);
        byte[] batch = Setup.messages(1000, 256);
        try (HeapSampler heap = new HeapSampler(setup.product)) {
            for (byte[] body : List.of(single, batch)) {
                String topic = setup.topic("heap" + System.nanoTime(), "replicated");
                new ClosedLoop(setup.product.port(), setup.post(topic + "/messages", JSON, body), 201)
                        .run(64, WARM_UP, MEASURED);
                setup.client.delete(topic).expect(204);
            }
            note(String.format(
                    Locale.ROOT,
                    "heap with 64 connections: at most %.0f MiB used, %.0f MiB after a collection",
                    heap.mostMegabytes(),
                    heap.afterCollectionMegabytes()));
        }
    }

    private void restart() {
        Path data = directory.resolve("restart");
        long empty = System.nanoTime();
        try (ServerProcess server = ServerProcess.startForMeasuring(data)) {
            long emptyMillis = (System.nanoTime() - empty) / 1_000_000;
            Client client = server.client();
            client.createStream(Setup.STREAM);
            client.createTopic(Setup.STREAM, "large", 1, Client.policies("replicated"));
            byte[] payload = new byte[MESSAGE_BYTES];
            new Random(1).nextBytes(payload);
            String topic = Client.topic(Setup.STREAM, "large");
            for (int i = 0; i < GIBIBYTE_MESSAGES; i++) {
                client.send(
                                "POST",
                                topic + "/messages",
                                BodyPublishers.ofByteArray(payload),
                                "Content-Type",
                                Client.BYTES,
                                "Keptlog-Partition",
                                "0")
                        .expect(201);
            }
            server.kill();
            note("start with an empty data directory: " + emptyMillis + " ms");
        }
        long begin = System.nanoTime();
        try (ServerProcess server = ServerProcess.startForMeasuring(data)) {
            note("start after SIGKILL with a log of 1 GiB: " + (System.nanoTime() - begin) / 1_000_000 + " ms");
            assertThat(messages(server.client(), Client.topic(Setup.STREAM, "large")))
                    .isEqualTo(GIBIBYTE_MESSAGES);
            assertThat(RawReader.sha256(server.client(), Client.topic(Setup.STREAM, "large"), 0))
                    .hasSize(64);
        }
    }

    private void row(String what, Pair pair) {
        String line = String.format(
                Locale.ROOT,
                "| %s | %.0f | %.0f | %.2f | %.0f | %.0f | %.0f |",
                what,
                pair.product().perSecond(),
                pair.noop().perSecond(),
                pair.ratio(),
                pair.product().micros(50),
                pair.product().micros(99),
                pair.noop().micros(50));
        System.out.println(line);
        table.add(line);
    }

    private void note(String line) {
        System.out.println(line);
        notes.add("- " + line);
    }
}
