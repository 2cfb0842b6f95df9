// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PartitionFiles;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The last frame of a killed server's log is cut off: it goes, reported, and everything before it is served. */
@Tag("long")
class TornTailIT {
    /** So that nothing is synced behind the test's back. */
    private static final String NO_SYNC_BY_AGE = "--keptlog.flush-age=1h";

    @TempDir
    Path directory;

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
                client.recoveryReports(id).forEach(r -> reports.computeIfAbsent(
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
}
