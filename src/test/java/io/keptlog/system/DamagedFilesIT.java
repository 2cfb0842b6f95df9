// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PartitionFiles;
import io.keptlog.system.harness.PartitionFiles.Frame;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Files of a killed server are damaged and it is started again: what is torn is cut and reported, what is damaged is refused and
 * reported, and no partition suffers from another. One topic for each damage, so one start shows them all at once.
 */
class DamagedFilesIT {
    /** So that nothing is synced behind the test's back. */
    private static final String NO_SYNC_BY_AGE = "--keptlog.flush-age=1h";

    private static final int FRAMES = 3;
    private static final int PAYLOAD_CHARS = 700;

    @TempDir
    Path directory;

    /** What a damaged partition must answer after the start. */
    private enum Expected {
        /** Everything is served and written; no report. */
        UNHARMED,
        /** The last frame is gone, reported as cut; the rest is served and written. */
        LAST_CUT,
        /** Served up to the damage; beyond it an error; no writes; reported as refused. */
        REFUSED
    }

    /** One topic, what is done to it and what must be seen. */
    private record Case(String name, String level, Expected expected, int keptFrames, Damage damage) {}

    /** What is done to a partition's files. */
    private interface Damage {
        void to(PartitionFiles files) throws IOException;
    }

    private static final List<Case> CASES = List.of(
            new Case("untouched", "replicated", Expected.UNHARMED, FRAMES, files -> {}),
            new Case(
                    "zeros-appended",
                    "replicated",
                    Expected.UNHARMED,
                    FRAMES,
                    files -> append(files, new byte[4 << 20])),
            new Case(
                    "zeros-appended-p",
                    "persisted",
                    Expected.UNHARMED,
                    FRAMES,
                    files -> append(files, new byte[4 << 20])),
            new Case("bit-below-checkpoint", "persisted", Expected.REFUSED, 1, files -> flip(files, 1)),
            new Case(
                    "bit-in-last-persisted",
                    "persisted",
                    Expected.REFUSED,
                    FRAMES - 1,
                    files -> flip(files, FRAMES - 1)),
            new Case(
                    "persisted-tail-zeroed",
                    "persisted",
                    Expected.REFUSED,
                    FRAMES - 1,
                    files -> zeroFrame(files, FRAMES - 1)),
            new Case("tail-zeroed", "replicated", Expected.LAST_CUT, FRAMES - 1, files -> zeroSectorsOfLast(files)),
            new Case(
                    "bit-above-checkpoint",
                    "replicated",
                    Expected.REFUSED,
                    FRAMES - 1,
                    files -> flip(files, FRAMES - 1)),
            new Case(
                    "newest-emptied",
                    "persisted",
                    Expected.REFUSED,
                    0,
                    files -> PartitionFiles.damage(files.newestSegment(), f -> f.setLength(0))),
            new Case("newest-removed", "persisted", Expected.REFUSED, 0, files -> Files.delete(files.newestSegment())));

    @Test
    void eachKindOfDamageIsToldApartAndHarmsNoOtherPartition() throws IOException {
        Path data = directory.resolve("data");
        Map<Case, Long> ids = new LinkedHashMap<>();
        try (ServerProcess server = ServerProcess.start(data, NO_SYNC_BY_AGE)) {
            Client client = server.client();
            client.createStream("s");
            for (Case c : CASES) {
                ids.put(
                        c,
                        client.createTopic("s", c.name(), 1, Client.policies(c.level()))
                                .path("id")
                                .asLong());
            }
            for (Case c : CASES) {
                produceFrames(client, Client.topic("s", c.name()), 0);
            }
            for (Case c : CASES) {
                if (c.level().equals("persisted")) {
                    awaitCheckpoint(files(data, ids.get(c)), FRAMES);
                }
            }
            server.kill();
        }
        for (Case c : CASES) {
            c.damage().to(files(data, ids.get(c)));
        }
        for (int start = 1; start <= 2; start++) {
            try (ServerProcess server = ServerProcess.start(data, NO_SYNC_BY_AGE)) {
                for (Case c : CASES) {
                    check(server.client(), c, ids.get(c), start);
                }
                assertThat(server.client().get("/actuator/health").status())
                        .as("health while partitions are refused")
                        .isEqualTo(503);
                assertThat(server.client().get("/actuator/health/liveness").status())
                        .isEqualTo(200);
                assertThat(server.client().get("/actuator/health/readiness").status())
                        .isEqualTo(200);
                server.kill();
            }
        }
    }

    private static void check(Client client, Case c, long id, int start) {
        String name = c.name() + " at start " + start;
        String topic = Client.topic("s", c.name());
        List<String> kept =
                IntStream.range(0, c.keptFrames()).mapToObj(i -> payload(0, i)).toList();
        List<JsonNode> reports = reports(client, id);
        if (c.expected() == Expected.REFUSED) {
            Reply beyond = client.poll(topic, 0, c.keptFrames(), 10);
            assertThat(beyond.status()).as(name + ": " + beyond).isEqualTo(500);
            assertThat(beyond.code()).as(name).isEqualTo("partition_damaged");
            if (!kept.isEmpty()) {
                Reply before = client.rawPoll(topic, 0, 0, c.keptFrames());
                assertThat(before.status()).as(name + ": " + before).isEqualTo(200);
                assertThat(before.text().lines()).as(name).isEqualTo(kept);
            }
            Reply refused = client.produce(topic, 0, List.of("no"));
            assertThat(refused.status()).as(name + ": " + refused).isEqualTo(503);
            assertThat(refused.code()).as(name).isEqualTo("partition_fenced");
            assertThat(reports)
                    .as(name)
                    .anyMatch(r -> r.path("action").asString().equalsIgnoreCase("refused"));
            return;
        }
        assertThat(RawReader.lines(client, topic, 0, 0)).as(name).startsWith(kept.toArray(String[]::new));
        if (c.expected() == Expected.LAST_CUT) {
            assertThat(reports).as(name).anySatisfy(r -> {
                assertThat(r.path("action").asString()).isEqualToIgnoringCase("cut");
                assertThat(r.path("found").asString()).isEqualToIgnoringCase("torn_tail");
                assertThat(r.path("from_offset").asLong()).isEqualTo(c.keptFrames());
                assertThat(r.path("quarantine_file").asString("")).isNotEmpty();
            });
        } else {
            assertThat(reports).as(name).isEmpty();
        }
        long base = Client.baseOffset(client.produce(topic, 0, List.of("after start " + start)));
        assertThat(base).as(name).isEqualTo(c.keptFrames() + start - 1L);
    }

    /** The last frame cut off at each of its bytes: one partition for each. */
    @Test
    void aTailTornAtAnyByteIsCutAndReportedAndTheRestIsServed() throws IOException {
        Path data = directory.resolve("data");
        int partitions = 96 + 44 + 8 + 8;
        String topic = Client.topic("s", "torn");
        long id;
        try (ServerProcess server = ServerProcess.start(data, NO_SYNC_BY_AGE)) {
            Client client = server.client();
            client.createStream("s");
            id = client.createTopic("s", "torn", partitions, Client.policies("replicated"))
                    .path("id")
                    .asLong();
            for (int p = 0; p < partitions; p++) {
                client.produce(topic, p, List.of("kept")).expect(201);
                client.produce(topic, p, List.of("torn off")).expect(201);
            }
            server.kill();
        }
        int length = PartitionFiles.frames(new PartitionFiles(data, 0, id, 0).newestSegment())
                .getLast()
                .lengthBytes();
        assertThat(length).as("one partition for each byte of the last frame").isLessThanOrEqualTo(partitions);
        for (int p = 0; p < length; p++) {
            Path segment = new PartitionFiles(data, 0, id, p).newestSegment();
            long cut = PartitionFiles.frames(segment).getLast().position() + p;
            PartitionFiles.damage(segment, file -> file.setLength(cut));
        }
        for (int start = 1; start <= 2; start++) {
            try (ServerProcess server = ServerProcess.start(data, NO_SYNC_BY_AGE)) {
                Client client = server.client();
                Map<Integer, List<JsonNode>> reports = new HashMap<>();
                reports(client, id).forEach(r -> reports.computeIfAbsent(
                                r.path("partition_id").asInt(), x -> new ArrayList<>())
                        .add(r));
                for (int p = 0; p < length; p++) {
                    List<String> lines = RawReader.lines(client, topic, p, 0);
                    assertThat(lines)
                            .as("cut at byte " + p)
                            .startsWith("kept")
                            .doesNotContain("torn off")
                            .hasSize(start);
                    if (p > 0) {
                        assertThat(reports.get(p))
                                .as("cut at byte " + p)
                                .anyMatch(r -> r.path("action").asString().equalsIgnoreCase("cut"));
                    }
                    assertThat(Client.baseOffset(client.produce(topic, p, List.of("new"))))
                            .isEqualTo(start);
                }
                server.kill();
            }
        }
    }

    @Test
    void indexesAreOnlyACacheAndALostMiddleOrNewestSegmentIsRefused() throws IOException {
        Path data = directory.resolve("data");
        List<String> names = List.of(
                "index-deleted", "index-garbled", "index-zeroed", "middle-removed", "newest-removed", "newest-emptied");
        Map<String, Long> ids = new HashMap<>();
        Map<String, List<String>> stored = new HashMap<>();
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            client.createStream("s");
            for (String name : names) {
                Map<String, String> options = new HashMap<>(Client.policies("persisted"));
                options.put("segment_size", "1 MiB");
                ids.put(
                        name,
                        client.createTopic("s", name, 1, options).path("id").asLong());
                stored.put(name, produceMegabytes(client, Client.topic("s", name), 3));
            }
            for (String name : names) {
                awaitCheckpoint(files(data, ids.get(name)), 1);
                Await.until(
                        "indexes of sealed segments",
                        Duration.ofSeconds(20),
                        () -> files(data, ids.get(name)).indexes().size() >= 2);
            }
            server.kill();
        }
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
        Files.delete(files(data, ids.get("middle-removed")).segments().get(1));
        long newestBase = base(files(data, ids.get("newest-removed")).newestSegment());
        Files.delete(files(data, ids.get("newest-removed")).newestSegment());
        PartitionFiles.damage(files(data, ids.get("newest-emptied")).newestSegment(), file -> file.setLength(0));
        long middleBase = base(files(data, ids.get("newest-emptied")).segments().get(1));

        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            for (String name : List.of("index-deleted", "index-garbled", "index-zeroed")) {
                String topic = Client.topic("s", name);
                assertThat(RawReader.lines(client, topic, 0, 0)).as(name).isEqualTo(stored.get(name));
                for (int offset = 0; offset < stored.get(name).size(); offset += 17) {
                    assertThat(client.rawPoll(topic, 0, offset, 1).expect(200).text())
                            .isEqualTo(stored.get(name).get(offset) + "\n");
                }
                assertThat(Client.baseOffset(client.produce(topic, 0, List.of("after"))))
                        .isEqualTo(stored.get(name).size());
            }
            refusedFrom(client, "middle-removed", middleBase, ids, stored);
            refusedFrom(client, "newest-removed", newestBase, ids, stored);
            refusedFrom(client, "newest-emptied", newestBase, ids, stored);
        }
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
        assertThat(reports(client, ids.get(name)))
                .as(name)
                .anyMatch(r -> r.path("action").asString().equalsIgnoreCase("refused"));
    }

    // --- what is written, and where it lies ---

    private static void produceFrames(Client client, String topic, int partition) {
        for (int i = 0; i < FRAMES; i++) {
            client.produce(topic, partition, List.of(payload(partition, i))).expect(201);
        }
    }

    private static String payload(int partition, int frame) {
        return (partition + "-" + frame + ".").repeat(PAYLOAD_CHARS / 4);
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

    /** The checkpoint is written at most a second after a sync, and once more after a second of idleness. */
    private static void awaitCheckpoint(PartitionFiles files, int frames) {
        Path segment = files.newestSegment();
        assertThat(PartitionFiles.frames(segment).size()).isGreaterThanOrEqualTo(Math.min(1, frames));
        Await.until("a checkpoint that is younger than the last sync", Duration.ofSeconds(20), () -> {
            long idleMillis = System.currentTimeMillis()
                    - Files.getLastModifiedTime(files.checkpoint()).toMillis();
            boolean younger = Files.getLastModifiedTime(files.checkpoint()).compareTo(lastWrite(files)) >= 0;
            return younger && idleMillis > 0;
        });
    }

    private static java.nio.file.attribute.FileTime lastWrite(PartitionFiles files) throws IOException {
        return Files.getLastModifiedTime(files.newestSegment());
    }

    private static List<JsonNode> reports(Client client, long topic) {
        return StreamSupport.stream(client.get("/recovery").expect(200).json().spliterator(), false)
                .filter(r -> r.path("topic_id").asLong(-1) == topic)
                .toList();
    }

    // --- damages ---

    private static void append(PartitionFiles files, byte[] bytes) throws IOException {
        Path segment = files.newestSegment();
        PartitionFiles.write(segment, Files.size(segment), bytes);
    }

    private static void flip(PartitionFiles files, int frame) {
        Frame damaged = PartitionFiles.frames(files.newestSegment()).get(frame);
        PartitionFiles.flipBit(files.newestSegment(), damaged.position() + damaged.lengthBytes() / 2);
    }

    private static void zeroFrame(PartitionFiles files, int frame) {
        PartitionFiles.zeroFrom(
                files.newestSegment(),
                PartitionFiles.frames(files.newestSegment()).get(frame).position());
    }

    /** As a disk tears: whole sectors of 512 bytes of the last frame never came there. */
    private static void zeroSectorsOfLast(PartitionFiles files) {
        Frame last = PartitionFiles.frames(files.newestSegment()).getLast();
        long sector = (last.position() / 512 + 1) * 512;
        assertThat(last.end() - sector)
                .as("a whole sector lies in the last frame")
                .isGreaterThanOrEqualTo(512);
        PartitionFiles.zeroFrom(files.newestSegment(), sector);
    }
}
