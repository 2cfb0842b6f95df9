// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PartitionFiles;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Strace;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A sync that fails once: no success, the partition takes no more writes until the next start, health names it. */
@Tag("root")
class SyncFailureIT {
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
