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
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How long a start takes after SIGKILL under load, beside a start with nothing: the difference is recovery. Large: bench/scale.sh runs it; how much is
 * written: {@code -Drestart.gib=16}.
 */
@Tag("scale")
class RestartIT {
    private static final long FREE_MIN_BYTES = 30L << 30;
    private static final int PARTITIONS = 64;
    private static final int BATCH = 1000;
    private static final int MESSAGE_BYTES = 1024;

    @TempDir(factory = TargetDirectory.class)
    Path directory;

    @BeforeEach
    void room() throws IOException {
        assertThat(Files.getFileStore(directory).getUsableSpace())
                .as("bytes that are free on the disk; 30 GiB are needed")
                .isGreaterThan(FREE_MIN_BYTES);
    }

    @Test
    void manyPartitionsAfterAKillUnderLoad() {
        int gibibytes = Integer.getInteger("restart.gib", 4);
        long batches = ((long) gibibytes << 30) / (BATCH * MESSAGE_BYTES);
        Path data = directory.resolve("data");
        String topic = Client.topic(Setup.STREAM, "many");
        double empty;
        long acknowledged;
        long begin = System.nanoTime();
        try (ServerProcess server = ServerProcess.startForMeasuring(data)) {
            empty = (System.nanoTime() - begin) / 1e9;
            Client client = server.client();
            client.createStream(Setup.STREAM);
            client.createTopic(Setup.STREAM, "many", PARTITIONS, Client.policies("replicated"));
            byte[] request = Requests.of(client).post(topic + "/messages", "application/json", balanced());
            Result result = new ClosedLoop(server.port(), request, 201).run(16, batches);
            System.out.printf(
                    "%d GiB in %d partitions: %.0f messages/s, p99 %.0f µs%n",
                    gibibytes, PARTITIONS, result.perSecond() * BATCH, result.micros(99));
            acknowledged = messages(client, topic);
            server.kill();
        }
        begin = System.nanoTime();
        try (ServerProcess server = ServerProcess.startForMeasuring(data)) {
            double killed = (System.nanoTime() - begin) / 1e9;
            System.out.printf(
                    "start with nothing %.1f s, after SIGKILL %.1f s: recovery %.1f s%n",
                    empty, killed, killed - empty);
            recoveryMeters(server.client()).forEach(System.out::println);
            // What the load had sent and not waited for may have been stored after it was counted.
            assertThat(messages(server.client(), topic)).isBetween(acknowledged, acknowledged + 16 * BATCH);
        }
    }

    /** How long each partition took, in seconds and summed up over partitions that were recovered side by side, and what was read. */
    private static List<String> recoveryMeters(Client client) {
        return client.get("/actuator/prometheus")
                .expect(200)
                .text()
                .lines()
                .filter(line -> line.startsWith("keptlog_recovery_"))
                .toList();
    }

    private static long messages(Client client, String topic) {
        return client.get(topic).expect(200).json().path("messages_count").asLong();
    }

    /** Without a key, so that the server chooses the partition. */
    private static byte[] balanced() {
        String body = new String(Setup.messages(BATCH, MESSAGE_BYTES), StandardCharsets.US_ASCII);
        int end = body.indexOf("},\"messages\"");
        return ("{\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"" + body.substring(end))
                .getBytes(StandardCharsets.US_ASCII);
    }
}
