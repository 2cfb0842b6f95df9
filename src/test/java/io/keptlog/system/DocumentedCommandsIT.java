// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.PastedCommands;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documents tell people to type, typed as it is. None of it may fail, and none may be answered by an error. */
class DocumentedCommandsIT {
    /** What timeout(1) answers. */
    private static final int TIMED_OUT = 124;

    @TempDir
    static Path directory;

    private static ServerProcess server;

    @BeforeAll
    static void aServerAndWhatAClonesDirectoryHas() throws Exception {
        server = ServerProcess.start(directory.resolve("data"));
        for (String name : List.of("README.md", "docs", "bin")) {
            Files.createSymbolicLink(directory.resolve(name), Path.of(name).toAbsolutePath());
        }
        Files.createSymbolicLink(
                Files.createDirectories(directory.resolve("target")).resolve("keptlog.jar"), ServerProcess.jar());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static String seen(String document) throws Exception {
        Shell.Outcome outcome = PastedCommands.run(Path.of(document), directory, server);
        System.out.println(outcome.output());
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        assertThat(outcome.output()).doesNotContain("\"reason\":").doesNotContain("command not found");
        return outcome.output();
    }

    @Test
    @Tag("long")
    void theCommandLineSendsReadsAndExplains() throws Exception {
        long lines = Files.readString(Path.of("README.md")).lines().count()
                + Files.readString(Path.of("docs/command-line.md")).lines().count();
        assertThat(seen("docs/command-line.md"))
                .contains("durability persisted, consumer_offset_durability persisted.")
                .contains(
                        "3 messages stored in garden/weather partition 0, offsets 0 to 2: persisted, in stable storage")
                .contains(lines + " messages stored in garden/weather partition 0, offsets 3 to " + (lines + 2))
                .containsPattern("(?m)^rain\nsun\nwind\n(.*\n){5}rain\nsun\n\\{\"partition_id\":0,\"offset\":2,")
                .containsPattern("power loss +kept +0 ")
                .endsWith("Deleted the stream garden.\n");
    }

    @Test
    void theApiDoesWhatItsExamplesSay() throws Exception {
        String seen = seen("docs/api.md");
        assertThat(seen)
                .contains("{\"token\": (shown once)")
                .contains("\"stored_in\":\"stable_storage\"")
                .contains("\"stored_lines\":3")
                .contains("21.7\n21.8\n21.9\n")
                .contains("\"stored_offset\":2")
                .contains("\"failure\":\"power_loss\"")
                .contains("\"persisted_end_offset\"");
        // Sent twice, stored once: both receipts name the same offsets.
        assertThat(Pattern.compile("\"base_offset\":(\\d+),\"end_offset\":\\d+[^\n]*\"stored_lines\":2")
                        .matcher(seen)
                        .results()
                        .map(receipt -> receipt.group(1))
                        .toList())
                .hasSize(2)
                .containsOnly("2");
    }

    @Test
    void aTopicMovesToAnotherPromiseAndAProxysClientFindsItsWay() throws Exception {
        assertThat(seen("docs/migration.md"))
                .contains("\"stored_lines\":2")
                .contains("\"durability\":\"persisted\"")
                .containsPattern("\"count\": ?2");
    }

    /** What ends only when somebody ends it is given five seconds. */
    @Test
    void readingLiveShowsWhatIsThereAndWhatComes() throws Exception {
        String commands = PastedCommands.of(Path.of("docs/live.md"));
        assertThat(commands).contains("\ncurl -sS --fail-with-body -N ");
        String limited = commands.replace("curl -sS --fail-with-body -N ", "timeout 5 curl -sS --fail-with-body -N ");
        Shell.Outcome outcome = PastedCommands.run("docs/live.md", limited, directory, server);
        assertThat(outcome.exitCode()).as(outcome.output()).isEqualTo(TIMED_OUT);
        assertThat(outcome.output())
                .containsPattern("(?s)\"count\": ?1.*\"payload\": ?\"aGVsbG8=\"")
                .containsPattern("(?m)id: ?0$")
                .containsPattern("(?m)^data: ?\\{\"header\":.*aGVsbG8=")
                .doesNotContain("\"reason\":");
    }

    /** Shorter than people measure. */
    @Test
    @Tag("long")
    void aServerIsMeasuredAndTwoMeasurementsAreCompared() throws Exception {
        String document = Files.readString(Path.of("docs/operating.md"));
        Matcher block = Pattern.compile("## Measuring.*?```bash\n(.*?)```", Pattern.DOTALL)
                .matcher(document);
        assertThat(block.find()).isTrue();
        String commands = block.group(1)
                .replace(" --duration 30", "")
                .replace("bench --", "bench --url http://127.0.0.1:3000 --warm-up 0 --duration 1 --");
        Shell.Outcome outcome = PastedCommands.run("docs/operating.md", commands, directory, server);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        assertThat(outcome.output()).contains("end-to-end").contains("persisted");
        assertThat(directory.resolve("after.json")).isNotEmptyFile();
    }

    @Test
    void aSnapshotForAReportIsAFile() throws Exception {
        String command = PastedCommands.single(Path.of("docs/operating.md")).stream()
                .filter(line -> line.contains("/snapshot"))
                .findFirst()
                .orElseThrow();
        Shell.Outcome outcome = PastedCommands.run("docs/operating.md", command, directory, server);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        try (Stream<Path> files = Files.list(directory)) {
            Path zip = files.filter(file -> file.toString().endsWith(".zip"))
                    .findFirst()
                    .orElseThrow();
            try (ZipFile opened = new ZipFile(zip.toFile())) {
                assertThat(opened.size()).isPositive();
            }
        }
    }

    @Test
    @Tag("long")
    void theReadmesCommandsSendShowAndExplain() throws Exception {
        server.client().createStream("shop");
        for (String topic : List.of("lines", "orders")) {
            server.client().createTopic("shop", topic, 1, Client.policies("persisted"));
        }
        Files.writeString(directory.resolve("access.log"), "GET /\nGET /about\n");
        List<String> commands = PastedCommands.single(Path.of("README.md")).stream()
                .filter(command -> command.contains("bin/keptlog"))
                .toList();
        assertThat(commands).hasSize(3);
        List<Shell.Outcome> outcomes = new ArrayList<>();
        for (String command : commands) {
            String limited = "timeout 20 bash -c '" + command + "'";
            outcomes.add(PastedCommands.run("README.md", limited, directory, server));
        }
        assertThat(outcomes.get(0).exitCode()).isEqualTo(TIMED_OUT);
        assertThat(outcomes.get(1).exitCode()).isEqualTo(TIMED_OUT);
        assertThat(outcomes.get(1).output()).contains("GET /about");
        assertThat(outcomes.get(2).exitCode()).as(outcomes.get(2).output()).isZero();
        assertThat(outcomes.get(2).output()).containsPattern("power loss +kept +0 ");
    }
}
