// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.bench.ClosedLoop.Result;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What grows and what does not: partitions, connections, the length of a log. Large: bench/scale.sh runs it. Ends with a message when less
 * than 30 GiB of disk is free. How long the longest log becomes: {@code -Dscale.gib=16}.
 */
@Tag("scale")
class ScaleIT {
    private static final String JSON = "application/json";
    private static final long FREE_MIN_BYTES = 30L << 30;
    private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("bench.seconds", 4));
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final int BATCH = 1000;
    private static final int MESSAGE_BYTES = 256;
    private static final double FLAT = 0.8;

    @TempDir(factory = TargetDirectory.class)
    Path directory;

    private final List<String> report = new ArrayList<>();

    @BeforeEach
    void room() throws IOException {
        long free = Files.getFileStore(directory).getUsableSpace();
        assertThat(free)
                .as("bytes that are free on the disk; 30 GiB are needed")
                .isGreaterThan(FREE_MIN_BYTES);
    }

    @AfterEach
    void tell() {
        report.forEach(System.out::println);
    }

    private void note(String format, Object... values) {
        report.add(String.format(Locale.ROOT, format, values));
    }

    /** Without a key, so that the server chooses the partition. */
    private static byte[] balanced(int count, int payloadBytes) {
        String body = new String(Setup.messages(count, payloadBytes), StandardCharsets.US_ASCII);
        int end = body.indexOf("},\"messages\"");
        return ("{\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"" + body.substring(end))
                .getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void partitionsAndConnections() {
        try (Setup setup = new Setup(directory)) {
            byte[] body = balanced(1, 1024);
            for (int partitions : new int[] {1, 16, 64}) {
                String name = "p" + partitions;
                setup.client.createTopic(Setup.STREAM, name, partitions, Client.policies("replicated"));
                byte[] request = setup.post(Client.topic(Setup.STREAM, name) + "/messages", JSON, body);
                var loop = new ClosedLoop(setup.product.port(), request, 201);
                loop.run(64, MEASURED, Duration.ZERO);
                for (int connections : new int[] {1, 64, 512}) {
                    Result result = loop.run(connections, WARM_UP, MEASURED);
                    note(
                            "%d partitions, %d connections: %.0f/s, p50 %.0f µs, p99 %.0f µs",
                            partitions, connections, result.perSecond(), result.micros(50), result.micros(99));
                }
                setup.client.delete(Client.topic(Setup.STREAM, name)).expect(204);
            }
        }
    }

    @Test
    void fiveThousandPartitions() {
        Path data = directory.resolve("data");
        int topics = 5;
        int partitions = 1000;
        try (ServerProcess server = ServerProcess.startForMeasuring(data)) {
            Client client = server.client();
            client.createStream(Setup.STREAM);
            long begin = System.nanoTime();
            for (int topic = 0; topic < topics; topic++) {
                client.createTopic(Setup.STREAM, "t" + topic, partitions, Client.policies("replicated"));
            }
            note("5,000 partitions created in %.1f s", (System.nanoTime() - begin) / 1e9);
            begin = System.nanoTime();
            for (int topic = 0; topic < topics; topic++) {
                for (int partition = 0; partition < partitions; partition++) {
                    client.produce(Client.topic(Setup.STREAM, "t" + topic), partition, List.of("one"));
                }
            }
            note("each written once in %.1f s", (System.nanoTime() - begin) / 1e9);
            try (HeapSampler heap = new HeapSampler(server)) {
                note("heap after a collection: %.0f MiB", heap.afterCollectionMegabytes());
            }
            server.kill();
        }
        long begin = System.nanoTime();
        try (ServerProcess server = ServerProcess.startForMeasuring(data)) {
            note("started after SIGKILL in %.1f s", (System.nanoTime() - begin) / 1e9);
            for (int topic = 0; topic < topics; topic++) {
                assertThat(server.client()
                                .get(Client.topic(Setup.STREAM, "t" + topic))
                                .expect(200)
                                .json()
                                .path("messages_count")
                                .asLong())
                        .isEqualTo(partitions);
            }
        }
    }

    @Test
    void aLongLogCostsWhatAShortOneDoesInASmallHeap() {
        int gibibytes = Integer.getInteger("scale.gib", 4);
        long batchesPerGibibyte = (1L << 30) / (BATCH * MESSAGE_BYTES);
        byte[] body = Setup.messages(BATCH, MESSAGE_BYTES);
        try (ServerProcess server = ServerProcess.startForMeasuring(directory.resolve("data"), "-Xmx256m")) {
            Client client = server.client();
            client.createStream(Setup.STREAM);
            client.createTopic(Setup.STREAM, "long", 1, Client.policies("replicated"));
            String topic = Client.topic(Setup.STREAM, "long");
            Requests request = Requests.of(client);
            byte[] produce = request.post(topic + "/messages", JSON, body);
            // Each GiB has new connections, and what the ones before had sent last is still in work when they come.
            var loop = new ClosedLoop(server.port(), produce, 201, Set.of(503));
            List<Double> perSecond = new ArrayList<>();
            try (HeapSampler heap = new HeapSampler(server)) {
                for (int gibibyte = 1; gibibyte <= gibibytes; gibibyte++) {
                    Result result = loop.run(64, batchesPerGibibyte);
                    perSecond.add(result.perSecond() * BATCH);
                    long refused = result.refusedNanos().getTotalCount();
                    note(
                            "GiB %d: %.0f messages/s, p99 %.0f µs, %d refused, resident %d MiB",
                            gibibyte, perSecond.getLast(), result.micros(99), refused, residentMegabytes(server));
                    assertThat(refused)
                            .as("refused, but when connections change")
                            .isLessThanOrEqualTo(64);
                }
                double old = polls(server, request, topic, 0);
                long end = (gibibytes * batchesPerGibibyte - 2) * BATCH;
                double recent = polls(server, request, topic, end);
                note("poll of 1,000: %.0f/s from the start, %.0f/s at the end", old, recent);
                note(
                        "heap of 256 MiB: at most %.0f used, %.0f after a collection",
                        heap.mostMegabytes(), heap.afterCollectionMegabytes());
                assertThat(old).as("old offsets").isGreaterThan(recent / 2);
            }
            // The first GiB also warms the server up.
            double first = perSecond.get(1);
            assertThat(perSecond.getLast())
                    .as("messages per second, of " + perSecond)
                    .isGreaterThan(FLAT * first);
        }
    }

    private static double polls(ServerProcess server, Requests request, String topic, long offset) {
        byte[] get = request.get(topic + "/messages?partition_id=0&kind=offset&value=" + offset + "&count=1000");
        return new ClosedLoop(server.port(), get, 200)
                .run(16, WARM_UP, MEASURED)
                .perSecond();
    }

    private static long residentMegabytes(ServerProcess server) {
        try (var lines = Files.lines(Path.of("/proc/" + server.pid() + "/status"))) {
            return lines.filter(line -> line.startsWith("RssAnon:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
                    .sum();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
