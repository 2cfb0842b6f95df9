// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.PastedCommands;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the documents tell people to type, typed as it is. None of it may fail, and none may be answered by an error. */
class DocumentedCommandsIT {
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
}
