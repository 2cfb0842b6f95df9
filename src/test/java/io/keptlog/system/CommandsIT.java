// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PartitionFiles;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The commands of docs/operating.md, taken from it as they are and run on the data directory of a killed server that was damaged. */
@Tag("long")
class CommandsIT {
    private static final Pattern BLOCK = Pattern.compile("## Commands.*?```bash\n(.*?)```", Pattern.DOTALL);
    private static final int FRAMES = 6;
    private static final int DAMAGED_FRAME = 2;
    private static final String TOPIC = Client.topic("s", "t");

    @TempDir
    Path directory;

    private Shell.Outcome run(String command) {
        return Shell.tryRun("bash", "-c", "cd '" + directory + "' && " + command);
    }

    private Shell.Outcome keptlog(String arguments) {
        return run("java -jar target/keptlog.jar " + arguments);
    }

    private static List<String> documented() throws IOException {
        var block = BLOCK.matcher(Files.readString(Path.of("docs/operating.md")));
        assertThat(block.find()).isTrue();
        return block.group(1)
                .lines()
                .filter(line -> line.startsWith("java -jar target/keptlog.jar "))
                .toList();
    }

    /** What a command is to end with, in the order in which they are documented. */
    private static int expected(String command, boolean repaired) {
        return command.contains(" verify ") && !repaired ? 1 : 0;
    }

    @Test
    @Tag("long")
    void everyDocumentedCommandWorksAndTheRepairedServerShowsTheGap() throws IOException {
        Path target = Files.createDirectories(directory.resolve("target"));
        Files.createSymbolicLink(target.resolve("keptlog.jar"), ServerProcess.jar());
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("java"), Path.of(ServerProcess.java()));
        Path data = directory.resolve("data");
        aKilledServer(data);
        Path segment = new PartitionFiles(data, 0, 0, 0).newestSegment();
        PartitionFiles.flipBit(
                segment, PartitionFiles.frames(segment).get(DAMAGED_FRAME).position() + 150);
        boolean repaired = false;
        List<String> commands = documented();
        for (String name : List.of("verify", "verify --json", "dump", "repair", "drill")) {
            assertThat(commands).as(name).anyMatch(c -> c.contains("keptlog.jar " + name));
        }
        for (String command : commands) {
            Shell.Outcome outcome = run("export PATH='" + bin + "':$PATH && " + command);
            System.out.println("$ " + command + "\n" + outcome.output());
            assertThat(outcome.exitCode()).as(command + "\n" + outcome.output()).isEqualTo(expected(command, repaired));
            repaired |= command.contains(" repair ") && !command.contains("--dry-run");
            if (command.endsWith("--json")) {
                JsonNode report = new JsonMapper().readTree(outcome.output());
                assertThat(report.path("findings").isArray()).isTrue();
                assertThat(report.path("in_use").asBoolean(true)).isFalse();
            }
        }
        assertThat(repaired).isTrue();
        theRepairedServer(data);
    }

    private void aKilledServer(Path data) {
        try (ServerProcess server = ServerProcess.start(data, "--keptlog.flush-age=1h")) {
            Client client = server.client();
            client.createStream("s");
            client.createTopic("s", "t", 1, Client.policies("persisted"));
            for (int i = 0; i < FRAMES; i++) {
                client.produce(TOPIC, 0, List.of("frame " + i)).expect(201);
            }
            Shell.Outcome beside = run("'" + ServerProcess.java() + "' -jar target/keptlog.jar verify --data-dir data");
            assertThat(beside.exitCode()).as(beside.output()).isZero();
            assertThat(beside.output()).contains("in use now");
            Shell.Outcome refused = run("'" + ServerProcess.java()
                    + "' -jar target/keptlog.jar repair --data-dir data --partition 0/0/0 --cut");
            assertThat(refused.exitCode()).as(refused.output()).isEqualTo(1);
            assertThat(refused.output()).contains("in use").hasLineCount(1);
            server.kill();
        }
    }

    private static void theRepairedServer(Path data) {
        try (ServerProcess server = ServerProcess.start(data)) {
            Client client = server.client();
            Reply first = client.poll(TOPIC, 0, 0, 10);
            assertThat(first.expect(200).json().path("count").asInt()).isEqualTo(DAMAGED_FRAME);
            JsonNode beyond =
                    client.poll(TOPIC, 0, DAMAGED_FRAME, 10).expect(200).json();
            assertThat(beyond.at("/gap/reason").asString()).isEqualTo("damage");
            assertThat(beyond.at("/gap/from_offset").asLong()).isEqualTo(DAMAGED_FRAME);
            assertThat(beyond.at("/gap/to_offset").asLong()).isEqualTo(DAMAGED_FRAME + 1L);
            assertThat(beyond.path("count").asInt()).isEqualTo(FRAMES - DAMAGED_FRAME - 1);
            assertThat(Client.baseOffset(client.produce(TOPIC, 0, List.of("next"))))
                    .isEqualTo(FRAMES);
            assertThat(client.recoveryReports(0))
                    .filteredOn(r -> r.path("action").asString().equals("repaired"))
                    .singleElement()
                    .satisfies(r -> assertThat(
                                    data.resolve(r.path("quarantine_file").asString()))
                            .isDirectoryContaining("glob:**.log"));
            assertThat(IntStream.of(client.get("/actuator/health").status())).containsExactly(200);
        }
    }
}
