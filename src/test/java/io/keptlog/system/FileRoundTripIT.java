// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import java.io.BufferedOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A text file goes in line by line and comes out byte for byte, at both levels, before and after a kill and a stop. */
class FileRoundTripIT {
    private static final int LINES = 120_000;
    private static final List<String> LEVELS = List.of("replicated", "persisted");

    @TempDir
    Path directory;

    @Test
    void aTextFileComesBackByteForByteBeforeAndAfterAKillAndAStop() throws IOException {
        Path file = directory.resolve("lines.txt");
        String expected = writeText(file, 20261130L);
        Path data = directory.resolve("data");

        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            client.createStream("files");
            for (String level : LEVELS) {
                client.createTopic("files", level, 2, Client.policies(level));
                send(client, level, file);
            }
            readBack(client, expected);
            server.kill();
        }
        try (ServerProcess server = ServerProcess.start(data)) {
            readBack(server.client(), expected);
            assertThat(server.terminate(Duration.ofSeconds(10))).isIn(0, 143);
        }
        try (ServerProcess server = ServerProcess.start(data)) {
            readBack(server.client(), expected);
            assertThat(server.client().get("/recovery").expect(200).json())
                    .as("a kill and a stop leave nothing to report")
                    .isEmpty();
        }
    }

    private static void send(Client client, String level, Path file) throws FileNotFoundException {
        Reply reply = client.ndjson(Client.topic("files", level), 1, BodyPublishers.ofFile(file))
                .expect(201);
        assertThat(reply.header("Iggy-Durability")).isEqualTo(level);
        assertThat(reply.json().path("stored_lines").asLong()).isEqualTo(LINES);
    }

    private static void readBack(Client client, String expected) {
        for (String level : LEVELS) {
            assertThat(RawReader.sha256(client, Client.topic("files", level), 1))
                    .as(level)
                    .isEqualTo(expected);
        }
    }

    /** Lines of every kind: empty, with CR, with quotes and tabs, beyond ASCII, long; the last one ends with LF. */
    private static String writeText(Path file, long seed) throws IOException {
        var random = new Random(seed);
        var digest = RawReader.sha256();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            for (int n = 0; n < LINES; n++) {
                byte[] line = (line(random, n) + "\n").getBytes(StandardCharsets.UTF_8);
                out.write(line);
                digest.update(line);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static String line(Random random, int n) {
        return switch (random.nextInt(10)) {
            case 0 -> "";
            case 1 -> "carriage return at the end of " + n + "\r";
            case 2 -> "{\"n\":" + n + ",\"quote\":\"\\\"\",\"tab\":\"\t\"}";
            case 3 -> "Grüße, 世界, 🦉 " + n;
            case 4 -> "x".repeat(random.nextInt(2_000));
            default -> n + " " + Long.toString(random.nextLong(), 36);
        };
    }
}
