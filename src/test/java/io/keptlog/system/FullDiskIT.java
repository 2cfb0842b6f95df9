// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.LoopDisk;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.Rounds;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk of 64 MB that fills up: a clear error, reads go on, topics can be deleted, writes come back by themselves. */
@Tag("root")
class FullDiskIT {
    private static final int DISK_MEGABYTES = 64;
    private static final int MESSAGE_BYTES = 200_000;
    private static final int MESSAGES_MAX = 2 * DISK_MEGABYTES * 1_000_000 / MESSAGE_BYTES;
    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir
    Path directory;

    @Test
    void deletingATopicOnAFullDiskGivesSpaceAndWritesComeBack() {
        try (LoopDisk disk = LoopDisk.make(directory, DISK_MEGABYTES);
                ServerProcess server = ServerProcess.start(disk.mountPoint().resolve("data"))) {
            Client client = server.client();
            client.createStream("s");
            createTopic(client, "small", "persisted");
            createTopic(client, "big", "replicated");
            client.produce(Client.topic("s", "small"), 0, List.of("kept")).expect(201);
            List<String> stored = produceUntilFull(client, "big");
            assertThat(stored).hasSizeGreaterThan(20);

            assertThat(RawReader.lines(client, Client.topic("s", "big"), 0, 0)).isEqualTo(stored);
            assertThat(RawReader.lines(client, Client.topic("s", "small"), 0, 0))
                    .containsExactly("kept");

            client.delete(Client.topic("s", "big")).expect(204);
            awaitWritesTo(client, "small");
            createTopic(client, "next", "persisted");
            produce(client, "next", "after").expect(201);
            assertThat(RawReader.lines(client, Client.topic("s", "small"), 0, 0))
                    .first()
                    .isEqualTo("kept");
        }
    }

    @Test
    void aRestartOnAFullDiskKeepsEverythingReadableAndWritesResumeWithoutAnother() throws IOException {
        try (LoopDisk disk = LoopDisk.make(directory, DISK_MEGABYTES)) {
            Path data = disk.mountPoint().resolve("data");
            List<String> replicated;
            List<String> persisted;
            Path filler;
            try (ServerProcess server = ServerProcess.start(data)) {
                Client client = server.client();
                client.createStream("s");
                createTopic(client, "r", "replicated");
                createTopic(client, "p", "persisted");
                produce(client, "r", message(1)).expect(201);
                produce(client, "p", message(2)).expect(201);
                filler = disk.fill();
                replicated = new ArrayList<>(List.of(message(1)));
                replicated.addAll(produceUntilFull(client, "r"));
                persisted = new ArrayList<>(List.of(message(2)));
                persisted.addAll(produceUntilFull(client, "p"));
                server.kill();
            }
            try (ServerProcess server = ServerProcess.launch(data)) {
                server.awaitAlive();
                Client client = server.client();
                assertThat(client.get("/streams/s/topics").expect(200).json()).hasSize(2);
                assertThat(RawReader.lines(client, Client.topic("s", "r"), 0, 0))
                        .isEqualTo(replicated);
                assertThat(RawReader.lines(client, Client.topic("s", "p"), 0, 0))
                        .isEqualTo(persisted);
                Files.delete(filler);
                for (String topic : List.of("r", "p")) {
                    awaitWritesTo(client, topic);
                }
            }
        }
    }

    /** Where the space ends differs each time; every third time the server is killed and started while there is none. */
    @Test
    void fillingUpAgainAndAgainLosesNothing() throws IOException {
        long seed = System.nanoTime();
        System.out.println("FullDiskIT seed " + seed);
        Random random = new Random(seed);
        int rounds = Rounds.of(2);
        try (LoopDisk disk = LoopDisk.make(directory, DISK_MEGABYTES)) {
            Path data = disk.mountPoint().resolve("data");
            ServerProcess server = ServerProcess.start(data);
            try {
                server.client().createStream("s");
                for (int round = 0; round < rounds; round++) {
                    Client client = server.client();
                    createTopic(client, "r" + round, "replicated");
                    createTopic(client, "p" + round, "persisted");
                    Map<String, List<String>> stored = new TreeMap<>();
                    Path filler = disk.fill();
                    try (var file = new RandomAccessFile(filler.toFile(), "rw")) {
                        file.setLength(Math.max(0, file.length() - random.nextInt(8_000_000)));
                    }
                    for (String topic : List.of("r" + round, "p" + round)) {
                        stored.put(topic, produceUntilFull(client, topic));
                    }
                    if (round % 3 == 1) {
                        server.kill();
                        server = ServerProcess.launch(data);
                        server.awaitAlive();
                    }
                    checkAndMakeRoom(server.client(), stored, filler);
                    Rounds.passed("full");
                }
            } finally {
                server.close();
            }
        }
    }

    private static void checkAndMakeRoom(Client client, Map<String, List<String>> stored, Path filler)
            throws IOException {
        stored.forEach((topic, messages) -> assertThat(RawReader.lines(client, Client.topic("s", topic), 0, 0))
                .as(topic)
                .isEqualTo(messages));
        Files.delete(filler);
        stored.keySet().forEach(topic -> {
            awaitWritesTo(client, topic);
            client.delete(Client.topic("s", topic)).expect(204);
        });
    }

    private static void awaitWritesTo(Client client, String topic) {
        String[] last = {""};
        try {
            Await.until("writes to " + topic + " are taken again", SOON, () -> {
                Reply reply = produce(client, topic, message(3));
                last[0] = reply.toString();
                return reply.status() == 201;
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + "; the last answer: " + last[0], e);
        }
    }

    /** Produces until the answer is 507, and returns what was acknowledged. */
    private static List<String> produceUntilFull(Client client, String topic) {
        List<String> stored = new ArrayList<>();
        for (int i = 0; i < MESSAGES_MAX; i++) {
            Reply reply = produce(client, topic, message(i));
            if (reply.status() == 507) {
                assertThat(reply.code()).isEqualTo("no_space");
                assertThat(reply.json().path("id").asInt()).isEqualTo(507);
                assertThat(reply.json().path("reason").asString("")).isNotEmpty();
                return stored;
            }
            if (reply.status() == 503) {
                // Space is still being looked for: refused, not stored.
                continue;
            }
            reply.expect(201);
            stored.add(message(i));
        }
        throw new AssertionError(MESSAGES_MAX + " messages of " + MESSAGE_BYTES + " bytes do not fill the disk");
    }

    private static Reply produce(Client client, String topic, String message) {
        return client.send(
                "POST",
                Client.topic("s", topic) + "/messages",
                BodyPublishers.ofString(message),
                "Content-Type",
                Client.BYTES,
                "Keptlog-Partition",
                "0");
    }

    private static String message(int number) {
        String unit = number + "-" + Long.toString(number * 2654435761L, 36) + ".";
        return unit.repeat(MESSAGE_BYTES / unit.length());
    }

    private static void createTopic(Client client, String name, String level) {
        Map<String, String> options = new HashMap<>(Client.policies(level));
        options.put("segment_size", "4 MiB");
        client.createTopic("s", name, 1, options);
    }
}
