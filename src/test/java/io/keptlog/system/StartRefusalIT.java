// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start that cannot be: one clear line that names what is wrong, no stack trace, an exit code other than 0. */
@Tag("long")
class StartRefusalIT {
    private static final Map<String, String> ROOT =
            Map.of("KEPTLOG_ROOT_USERNAME", ServerProcess.USERNAME, "KEPTLOG_ROOT_PASSWORD", ServerProcess.PASSWORD);

    @TempDir
    Path directory;

    @Test
    void aDataDirectoryThatCannotBeMadeStopsTheStart() throws IOException {
        Path file = Files.writeString(directory.resolve("a-file"), "not a directory");
        refuses(file.resolve("data"), ROOT, file.toString());
        refuses(file, ROOT, file.toString());
    }

    @Test
    void aDirectoryOfAnotherProcessStopsTheStartAndHarmsItNot() {
        Path data = directory.resolve("data");
        try (ServerProcess first = ServerProcess.start(data)) {
            refuses(data, ROOT, "KEPTLOG_DATA_DIR");
            first.client().createStream("still-works");
        }
    }

    @Test
    void aDirectoryOfANewerFormatStopsTheStartAndStaysAsItIs() throws IOException {
        Path data = directory.resolve("data");
        try (ServerProcess server = ServerProcess.start(data)) {
            server.client().createStream("kept");
            server.terminate(Duration.ofSeconds(10));
        }
        Path format = data.resolve("format");
        String original = Files.readString(format);
        String newer = original.replaceFirst("\\d+", "999");
        assertThat(newer).isNotEqualTo(original);
        Files.writeString(format, newer);
        refuses(data, ROOT, "999");
        assertThat(Files.readString(format)).isEqualTo(newer);
        Files.writeString(format, original);
        try (ServerProcess server = ServerProcess.start(data)) {
            server.client().get("/streams/kept").expect(200);
        }
    }

    @Test
    void oneHalfOfTheRootCredentialsStopsTheStart() {
        refuses(directory.resolve("data"), Map.of("KEPTLOG_ROOT_USERNAME", "root"), "KEPTLOG_ROOT_PASSWORD");
        refuses(directory.resolve("data"), Map.of("IGGY_ROOT_PASSWORD", "secret-word"), "IGGY_ROOT_USERNAME");
    }

    @Test
    void anUnknownOrRemovedSettingStopsTheStartByName() {
        refuses(directory.resolve("data"), ROOT, "keptlog.flush-agee", "--keptlog.flush-agee=1s");
        refuses(
                directory.resolve("data"),
                ROOT,
                "consumer_offset_enforce_fsync",
                "--keptlog.consumer-offset-enforce-fsync=true");
    }

    @Test
    void anOlderJavaIsToldSoAndTheScriptLooksForANewerOne() throws IOException {
        Optional<Path> older = olderJava();
        assumeTrue(older.isPresent(), "no Java 17 to 24 is installed");
        String java = older.orElseThrow().resolve("bin/java").toString();
        Shell.Outcome told = Shell.tryRun(java, "-jar", ServerProcess.jar().toString(), "verify");
        assertThat(told.exitCode()).isEqualTo(1);
        assertThat(told.output())
                .startsWith("Keptlog needs Java 25 or later; this is Java ")
                .hasLineCount(1);
        Path home = Path.of(ServerProcess.java()).getParent().getParent();
        String script = Path.of("bin/keptlog").toAbsolutePath().toString();
        String jar = "KEPTLOG_JAR=" + ServerProcess.jar();
        Shell.Outcome found = Shell.tryRun(
                "env",
                jar,
                "PATH=" + older.orElseThrow().resolve("bin") + ":/usr/bin:/bin",
                "JAVA_HOME=" + home,
                script,
                "--help");
        assertThat(found.exitCode()).as(found.output()).isZero();
        assertThat(found.output()).startsWith("Usage: keptlog");
        Shell.Outcome noJar = Shell.tryRun("env", "KEPTLOG_JAR=/nowhere/keptlog.jar", script, "--help");
        assertThat(noJar.exitCode()).isEqualTo(2);
        assertThat(noJar.output()).contains("there is no /nowhere/keptlog.jar").contains("mvn -DskipTests package");
    }

    private static Optional<Path> olderJava() throws IOException {
        Path installed = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(installed)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(installed)) {
            return homes.filter(home -> home.getFileName().toString().matches(".*-(17|21)-.*"))
                    .filter(home -> Files.isExecutable(home.resolve("bin/java")))
                    .findFirst();
        }
    }

    private static void refuses(Path data, Map<String, String> environment, String named, String... arguments) {
        try (ServerProcess server = ServerProcess.launch(data, environment, arguments)) {
            int exitCode = server.awaitExit(Duration.ofSeconds(180));
            String log = server.log();
            assertThat(exitCode).as(log).isNotZero();
            assertThat(log)
                    .doesNotContain("\tat ")
                    .doesNotContain("secret-word")
                    .doesNotContain(ServerProcess.PASSWORD);
            List<String> lines = log.lines().filter(l -> l.contains(named)).toList();
            assertThat(lines).as("one line that names " + named + " in\n" + log).hasSize(1);
        }
    }
}
