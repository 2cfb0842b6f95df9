// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PartitionFiles;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole files of a log that has rolled are lost or garbled: an index is made again, a segment is missed. */
class LostSegmentsIT {
    private static final List<String> INDEX_CASES = List.of("index-deleted", "index-garbled", "index-zeroed");
    private static final List<String> LOST_CASES = List.of("middle-removed", "newest-removed", "newest-emptied");

    @TempDir
    Path directory;

    @Test
    void indexesAreOnlyACacheAndALostMiddleOrNewestSegmentIsRefused() throws IOException {
        Path data = directory.resolve("data");
        Map<String, Long> ids = new HashMap<>();
        Map<String, List<String>> stored = new HashMap<>();
        writeAndKill(data, ids, stored);
        damageIndexes(data, ids);
        long middleBase = base(files(data, ids.get("middle-removed")).segments().get(1));
        Files.delete(files(data, ids.get("middle-removed")).segments().get(1));
        long newestBase = base(files(data, ids.get("newest-removed")).newestSegment());
        Files.delete(files(data, ids.get("newest-removed")).newestSegment());
        long emptiedBase = base(files(data, ids.get("newest-emptied")).newestSegment());
        PartitionFiles.damage(files(data, ids.get("newest-emptied")).newestSegment(), file -> file.setLength(0));

        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            for (String name : INDEX_CASES) {
                servesEverything(client, name, stored.get(name));
            }
            refusedFrom(client, "middle-removed", middleBase, ids, stored);
            refusedFrom(client, "newest-removed", newestBase, ids, stored);
            refusedFrom(client, "newest-emptied", emptiedBase, ids, stored);
        }
    }

    private static void writeAndKill(Path data, Map<String, Long> ids, Map<String, List<String>> stored) {
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            client.createStream("s");
            List<String> names =
                    Stream.concat(INDEX_CASES.stream(), LOST_CASES.stream()).toList();
            for (String name : names) {
                Map<String, String> options = new HashMap<>(Client.policies("persisted"));
                options.put("segment_size", "1 MiB");
                ids.put(
                        name,
                        client.createTopic("s", name, 1, options).path("id").asLong());
                stored.put(name, produceMegabytes(client, Client.topic("s", name), 3));
            }
            for (String name : names) {
                PartitionFiles files = files(data, ids.get(name));
                files.awaitCheckpoint();
                Await.until(
                        "indexes of sealed segments",
                        Duration.ofSeconds(20),
                        () -> files.indexes().size() >= 2);
            }
            server.kill();
        }
    }

    private static void damageIndexes(Path data, Map<String, Long> ids) throws IOException {
        Random random = new Random(7);
        for (Path index : files(data, ids.get("index-deleted")).indexes()) {
            Files.delete(index);
        }
        for (Path index : files(data, ids.get("index-garbled")).indexes()) {
            byte[] garbage = new byte[Math.toIntExact(Files.size(index)) + 512];
            random.nextBytes(garbage);
            Files.write(index, garbage);
        }
        for (Path index : files(data, ids.get("index-zeroed")).indexes()) {
            Files.write(index, new byte[Math.toIntExact(Files.size(index))]);
        }
    }

    private static void servesEverything(Client client, String name, List<String> stored) {
        String topic = Client.topic("s", name);
        assertThat(RawReader.lines(client, topic, 0, 0)).as(name).isEqualTo(stored);
        for (int offset = 0; offset < stored.size(); offset += 17) {
            assertThat(client.rawPoll(topic, 0, offset, 1).expect(200).text()).isEqualTo(stored.get(offset) + "\n");
        }
        assertThat(Client.baseOffset(client.produce(topic, 0, List.of("after"))))
                .isEqualTo(stored.size());
    }

    private static void refusedFrom(
            Client client, String name, long offset, Map<String, Long> ids, Map<String, List<String>> stored) {
        String topic = Client.topic("s", name);
        Reply before = client.rawPoll(topic, 0, offset - 1, 1).expect(200);
        assertThat(before.text()).as(name).isEqualTo(stored.get(name).get(Math.toIntExact(offset) - 1) + "\n");
        Reply beyond = client.poll(topic, 0, offset, 1);
        assertThat(beyond.status()).as(name + ": " + beyond).isEqualTo(500);
        assertThat(beyond.code()).as(name).isEqualTo("partition_damaged");
        assertThat(client.produce(topic, 0, List.of("no")).expect(503).code()).isEqualTo("partition_fenced");
        assertThat(client.recoveryReports(ids.get(name)))
                .as(name)
                .anyMatch(r -> r.path("action").asString().equalsIgnoreCase("refused"));
    }

    private static List<String> produceMegabytes(Client client, String topic, int megabytes) {
        List<String> stored = new ArrayList<>();
        for (int i = 0; i < megabytes * 20; i++) {
            String message = (i + "-").repeat(50_000 / (Integer.toString(i).length() + 1));
            client.produce(topic, 0, List.of(message)).expect(201);
            stored.add(message);
        }
        return stored;
    }

    private static PartitionFiles files(Path data, long topic) {
        return new PartitionFiles(data, 0, topic, 0);
    }

    private static long base(Path segment) {
        return Long.parseLong(segment.getFileName().toString().replace(".log", ""));
    }
}
