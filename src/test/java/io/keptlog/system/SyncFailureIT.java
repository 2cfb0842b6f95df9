// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PartitionFiles;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.Rounds;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Strace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A sync that fails once: no success, the partition takes no more writes until the next start, health names it. */
@Tag("root")
class SyncFailureIT {
    private static final int MESSAGES_MAX = 400;

    @TempDir
    Path directory;

    @Test
    void oneFailedSyncFencesThePartitionUntilARestartVerifiesIt() {
        Strace.assume();
        Path data = directory.resolve("data");
        String sick = Client.topic("s", "sick");
        String well = Client.topic("s", "well");
        List<String> acknowledged = new ArrayList<>();
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            client.createStream("s");
            long stream = client.get("/streams/s").expect(200).json().path("id").asLong();
            long topic = client.createTopic("s", "sick", 1, Client.policies("persisted"))
                    .path("id")
                    .asLong();
            client.createTopic("s", "well", 1, Client.policies("persisted"));
            for (int i = 0; i < 10; i++) {
                client.produce(sick, 0, List.of("before " + i)).expect(201);
                acknowledged.add("before " + i);
            }
            Path log = new PartitionFiles(data, stream, topic, 0).newestSegment();
            try (Strace strace = failSyncs(server, log)) {
                Reply refused = client.produce(sick, 0, List.of("lost or not"));
                assertThat(refused.status()).as(refused.toString()).isEqualTo(500);
                assertThat(refused.code()).isEqualTo("sync_failed");
                assertThat(strace.lines()).anyMatch(l -> l.contains("EIO") && l.contains("INJECTED"));
            }
            // The device is well again; the partition is not trusted all the same.
            for (int i = 0; i < 3; i++) {
                Reply fenced = client.produce(sick, 0, List.of("refused"));
                assertThat(fenced.status()).as(fenced.toString()).isEqualTo(503);
                assertThat(fenced.code()).isEqualTo("partition_fenced");
                assertThat(fenced.headers().firstValue("Retry-After")).isEmpty();
            }
            assertThat(RawReader.lines(client, sick, 0, 0)).isEqualTo(acknowledged);
            client.produce(well, 0, List.of("others go on")).expect(201);

            Reply health = client.get("/actuator/health");
            assertThat(health.status()).isEqualTo(503);
            assertThat(health.json().path("status").asString()).isEqualTo("DOWN");
            assertThat(health.text()).as("the component is named").contains(stream + "/" + topic + "/0");
            assertThat(client.get("/actuator/health/liveness").status()).isEqualTo(200);
            assertThat(client.get("/actuator/health/readiness").status()).isEqualTo(200);
            server.kill();
        }
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            assertThat(RawReader.lines(client, sick, 0, 0)).startsWith(acknowledged.toArray(String[]::new));
            client.produce(sick, 0, List.of("after")).expect(201);
            assertThat(client.get("/actuator/health").status()).isEqualTo(200);
        }
    }

    /** The n-th sync of a thread fails: of the log, of its next segment, of the checkpoint or of the directory, whichever comes then. */
    @Test
    void aSyncThatFailsAtAnyPlaceTakesNothingAcknowledged() {
        Strace.assume();
        int positions = Rounds.of(3);
        Path data = directory.resolve("data");
        Map<String, List<String>> acknowledged = new TreeMap<>();
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            client.createStream("s");
            for (int position = 1; position <= positions; position++) {
                failAt(position, server, data, acknowledged);
            }
            server.kill();
        }
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            acknowledged.forEach((topic, messages) -> {
                assertThat(RawReader.lines(client, topic, 0, 0)).as(topic).startsWith(messages.toArray(String[]::new));
                client.produce(topic, 0, List.of("after")).expect(201);
                Rounds.passed("syncs");
            });
        }
    }

    private void failAt(int position, ServerProcess server, Path data, Map<String, List<String>> acknowledged) {
        Client client = server.client();
        String name = "sick-%02d".formatted(position);
        Map<String, String> options = new HashMap<>(Client.policies("persisted"));
        options.put("segment_size", "1 MiB");
        JsonNode made = client.createTopic("s", name, 1, options);
        String topic = Client.topic("s", name);
        List<String> kept = new ArrayList<>();
        client.produce(topic, 0, List.of("first")).expect(201);
        kept.add("first");
        long stream = client.get("/streams/s").expect(200).json().path("id").asLong();
        var files = new PartitionFiles(data, stream, made.path("id").asLong(), 0);
        String padding = "x".repeat(30_000);
        Reply reply = null;
        try (Strace strace = failSync(server, files.directory(), files.newestSegment(), position)) {
            for (int i = 0; i < MESSAGES_MAX && (reply == null || reply.status() == 201); i++) {
                String message = i + padding;
                reply = client.produce(topic, 0, List.of(message));
                if (reply.status() == 201) {
                    kept.add(message);
                }
            }
            assertThat(strace.lines()).as("position " + position).anyMatch(l -> l.contains("INJECTED"));
        }
        assertThat(reply).isNotNull();
        assertThat(reply.code()).as(reply.toString()).isIn("sync_failed", "partition_fenced");
        assertThat(client.produce(topic, 0, List.of("refused")).code()).isEqualTo("partition_fenced");
        assertThat(RawReader.lines(client, topic, 0, 0)).isEqualTo(kept);
        acknowledged.put(topic, kept);
    }

    private Strace failSync(ServerProcess server, Path partition, Path log, int position) {
        return Strace.attach(
                server,
                directory,
                "-P",
                log.toString(),
                "-P",
                partition.resolve("next.tmp").toString(),
                "-P",
                partition.toString(),
                "-e",
                "trace=fsync,fdatasync",
                "-e",
                "inject=fsync,fdatasync:error=EIO:when=" + position);
    }

    private Strace failSyncs(ServerProcess server, Path log) {
        return Strace.attach(
                server,
                directory,
                "-P",
                log.toString(),
                "-e",
                "trace=fsync,fdatasync,msync",
                "-e",
                "inject=fsync,fdatasync,msync:error=EIO:when=1+");
    }
}
