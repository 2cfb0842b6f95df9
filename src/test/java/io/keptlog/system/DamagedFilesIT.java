// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PartitionFiles;
import io.keptlog.system.harness.PartitionFiles.Frame;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Files of a killed server are damaged and it is started again: what is torn is cut and reported, what is damaged is refused and
 * reported, and no partition suffers from another. One topic for each damage, so one start shows them all at once.
 */
@Tag("long")
class DamagedFilesIT {
    /** So that nothing is synced behind the test's back. */
    private static final String NO_SYNC_BY_AGE = "--keptlog.flush-age=1h";

    private static final int FRAMES = 3;
    private static final int PAYLOAD_CHARS = 1600;

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
                    files(data, ids.get(c)).awaitCheckpoint();
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
        List<JsonNode> reports = client.recoveryReports(id);
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

    // --- what is written, and where it lies ---

    private static void produceFrames(Client client, String topic, int partition) {
        for (int i = 0; i < FRAMES; i++) {
            client.produce(topic, partition, List.of(payload(partition, i))).expect(201);
        }
    }

    private static String payload(int partition, int frame) {
        return (partition + "-" + frame + ".").repeat(PAYLOAD_CHARS / 4);
    }

    private static PartitionFiles files(Path data, long topic) {
        return new PartitionFiles(data, 0, topic, 0);
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
