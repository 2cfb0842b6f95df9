// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.bench.ClosedLoop.Result;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.ImageCommands;
import io.keptlog.system.harness.MemoryGroup;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.UnpackedJar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the container image runs, in the memory that a container has: the unpacked jar, the JVM's settings and the health check of
 * {@code Dockerfile}, in a memory control group of 512 MiB. It serves a log that is eight times as large, and stops within the time that
 * container engines wait. Needs root. How long the log becomes: {@code -Dcontainer.gib=4}.
 */
@Tag("long")
@Tag("root")
class ContainerIT {
    private static final long MIB = 1 << 20;
    private static final long LIMIT = 512 * MIB;
    /** What cannot be taken back must leave this for pages of files, or reading becomes slow. */
    private static final long FOR_FILES = 64 * MIB;

    private static final int GIBIBYTES = Integer.getInteger("container.gib", 4);
    private static final long FREE_MIN_BYTES = 3L * GIBIBYTES << 30;
    private static final int BATCH = 1000;
    private static final int MESSAGE_BYTES = 1024;
    private static final int CONNECTIONS = 32;
    private static final int TOO_MANY_CONNECTIONS = 256;
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(5);
    private static final String TOPIC = Client.topic("container", "log");

    @TempDir(factory = TargetDirectory.class)
    Path directory;

    private final List<String> report = new ArrayList<>();

    private void note(String format, Object... values) {
        report.add(String.format(Locale.ROOT, format, values));
    }

    @Test
    void aContainerOf512MebibytesServesALogOfFourGibibytesAndStopsInTime() throws Exception {
        assertThat(Files.getFileStore(directory).getUsableSpace())
                .as("bytes that are free on the disk")
                .isGreaterThan(FREE_MIN_BYTES);
        Path app = ServerProcess.jar().resolveSibling("system-tests").resolve("image");
        UnpackedJar.make(ServerProcess.jar(), List.of(), app);
        ImageCommands image = ImageCommands.of(Path.of("Dockerfile"), app);
        try (MemoryGroup group = MemoryGroup.make(LIMIT)) {
            try {
                serves(group, image);
            } catch (Throwable e) {
                tellTheServersLog();
                throw e;
            } finally {
                report.forEach(System.out::println);
            }
        }
    }

    private void serves(MemoryGroup group, ImageCommands image) throws Exception {
        long batches = ((long) GIBIBYTES << 30) / (BATCH * MESSAGE_BYTES) + 1;
        byte[] body = Setup.messages(BATCH, MESSAGE_BYTES);
        String expected;
        try (ServerProcess server = start(group, image);
                var memory = new MemorySampler(group);
                var health = new HealthChecks(group, image, server.port())) {
            Client client = server.client();
            client.createStream("container");
            client.createTopic("container", "log", 1, Client.policies("replicated"));
            double heap = Scrape.of(client).sum("jvm_memory_max_bytes", line -> line.contains("area=\"heap\""));
            assertThat(heap)
                    .as("two fifths of the group's memory: the JVM knows its limit")
                    .isBetween(LIMIT * 0.36, LIMIT * 0.42);
            Requests requests = Requests.of(client);
            byte[] produce = requests.post(TOPIC + "/messages", "application/json", body);
            Result written = new ClosedLoop(server.port(), produce, 201, Set.of(503)).run(CONNECTIONS, batches);
            note("%d GiB written: %.0f MB/s; %s", GIBIBYTES, megabytesPerSecond(written), memory.told());
            Result burst = new ClosedLoop(server.port(), produce, 201, Set.of(503))
                    .run(TOO_MANY_CONNECTIONS, WARM_UP, MEASURED);
            note(
                    "%d connections: %.0f MB/s, %d told to wait; %s",
                    TOO_MANY_CONNECTIONS,
                    megabytesPerSecond(burst),
                    burst.refusedNanos().getTotalCount(),
                    memory.told());
            long end = end(client);
            assertThat(end).isGreaterThanOrEqualTo(batches * BATCH);
            double old = polls(server, requests, 0);
            double recent = polls(server, requests, end - BATCH);
            note("poll of 1,000: %.0f/s from the start, %.0f/s at the end; %s", old, recent, memory.told());
            long begin = System.nanoTime();
            String read = RawReader.sha256(client, TOPIC, 0);
            // What the burst had sent and not waited for was still being stored when the polls began.
            assertThat(read).isEqualTo(sha256(body, end(client) / BATCH));
            note("all of it read in %.1f s; %s", (System.nanoTime() - begin) / 1e9, memory.told());
            note(
                    "health check: %d answered, at most %d ms; %d not in time",
                    health.answered(), health.slowestMillis(), health.givenUp());
            stopsInTime(server, produce);
            memory.requireAtMost(LIMIT - FOR_FILES);
            health.requireAllGood();
        }
        kept(group, image, body);
        note(
                "most that was charged, pages of files included: %d MiB; the limit was met %d times",
                group.peak() / MIB, group.limitMet());
        assertThat(group.killed()).as("processes killed for want of memory").isZero();
    }

    private static double megabytesPerSecond(Result result) {
        return result.perSecond() * BATCH * MESSAGE_BYTES / 1e6;
    }

    private static long end(Client client) {
        return client.get(TOPIC).expect(200).json().path("messages_count").asLong();
    }

    private ServerProcess start(MemoryGroup group, ImageCommands image) {
        List<String> command = new ArrayList<>(image.serve());
        command.addAll(List.of(
                "--server.address=127.0.0.1",
                "--server.port=0",
                ServerProcess.SHOW_PORT,
                "--keptlog.data-dir=" + directory.resolve("data")));
        ServerProcess server = ServerProcess.spawn(
                group.inside(command),
                Map.of(
                        "KEPTLOG_ROOT_USERNAME", ServerProcess.USERNAME,
                        "KEPTLOG_ROOT_PASSWORD", ServerProcess.PASSWORD),
                directory.resolve("server.log"));
        try {
            server.awaitReady();
            return server;
        } catch (Throwable e) {
            server.close();
            throw e;
        }
    }

    /** What the server wrote last says why it went away. */
    private void tellTheServersLog() throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve("server.log"));
        report.addAll(lines.subList(Math.max(0, lines.size() - 15), lines.size()));
    }

    private static double polls(ServerProcess server, Requests requests, long offset) {
        byte[] get = requests.get(TOPIC + "/messages?partition_id=0&kind=offset&value=" + offset + "&count=" + BATCH);
        return new ClosedLoop(server.port(), get, 200)
                .run(16, WARM_UP, MEASURED)
                .perSecond();
    }

    /** SIGTERM while connections write as fast as they can. */
    private void stopsInTime(ServerProcess server, byte[] produce) {
        CompletableFuture<Void> writers = CompletableFuture.runAsync(() -> {
            new ClosedLoop(server.port(), produce, 201, Set.of(503)).run(CONNECTIONS, Duration.ZERO, STOP_MAX);
        });
        assertThat(writers).isNotCompleted();
        long begin = System.nanoTime();
        int exitCode = server.terminate(STOP_MAX.multipliedBy(2));
        Duration took = Duration.ofNanos(System.nanoTime() - begin);
        note("stopped under load in %d ms", took.toMillis());
        assertThat(exitCode).isIn(0, 143);
        assertThat(took).isLessThan(STOP_MAX);
        // The server's end is the end of their connections.
        assertThat(writers).failsWithin(STOP_MAX);
    }

    /** After the stop, and again after SIGKILL. */
    private void kept(MemoryGroup group, ImageCommands image, byte[] body) {
        long end = 0;
        for (String how : List.of("the stop", "SIGKILL")) {
            long begin = System.nanoTime();
            try (ServerProcess server = start(group, image);
                    var memory = new MemorySampler(group)) {
                note("started after %s in %.1f s", how, (System.nanoTime() - begin) / 1e9);
                Client client = server.client();
                assertThat(end(client)).isGreaterThanOrEqualTo(end);
                end = end(client);
                assertThat(RawReader.sha256(client, TOPIC, 0)).isEqualTo(sha256(body, end / BATCH));
                note("all of it read again; %s", memory.told());
                memory.requireAtMost(LIMIT - FOR_FILES);
                server.kill();
            }
        }
    }

    /** Of the payloads of so many batches, each followed by LF. */
    private static String sha256(byte[] body, long batches) {
        JsonNode messages = new JsonMapper().readTree(body).path("messages");
        byte[] lines = new byte[BATCH * (MESSAGE_BYTES + 1)];
        Arrays.fill(lines, (byte) '\n');
        for (int i = 0; i < BATCH; i++) {
            byte[] payload =
                    Base64.getDecoder().decode(messages.path(i).path("payload").asString());
            System.arraycopy(payload, 0, lines, i * (MESSAGE_BYTES + 1), MESSAGE_BYTES);
        }
        var digest = RawReader.sha256();
        for (long batch = 0; batch < batches; batch++) {
            digest.update(lines);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
