// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the README's tour, taken from it as they are and run in bash. Only the port is another one. */
class ReadmeTourIT {
    private static final Pattern BLOCK = Pattern.compile("```bash\n(.*?)```", Pattern.DOTALL);
    private static final long DEADLINE_MINUTES = 15;

    @TempDir
    Path directory;

    /** The jar that was built stands in for {@code mvn spring-boot:run}, so that the tour does not build inside a build. */
    @Test
    void theTourWorksAsPasted() throws Exception {
        Files.copy(Path.of("README.md"), directory.resolve("README.md"));
        Path bin = Files.createDirectories(directory.resolve("bin"));
        Path mvn = Files.writeString(
                bin.resolve("mvn"),
                "#!/bin/sh\n[ \"$*\" = '-q spring-boot:run' ] || exit 64\nexec '" + ServerProcess.java()
                        + "' -XX:TieredStopAtLevel=1 -jar '" + ServerProcess.jar() + "'\n");
        Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
        tour(directory, bin + ":" + System.getenv("PATH"));
    }

    /** A stranger's way: a fresh clone, Maven builds and runs it. */
    @Test
    @Tag("long")
    void theTourWorksInAFreshClone() throws Exception {
        Path clone = directory.resolve("clone");
        Shell.run("git", "clone", "-q", Path.of("").toAbsolutePath().toString(), clone.toString());
        tour(clone, System.getenv("PATH"));
    }

    private static void tour(Path where, String path) throws Exception {
        int port = freePort();
        String script = Files.readString(Path.of("README.md"))
                .transform(BLOCK::matcher)
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining("\n"));
        assertThat(script).as("the tour names its port").contains("127.0.0.1:3000");
        Path file = Files.writeString(
                where.resolve("tour.sh"), "set -u\n" + script.replace("127.0.0.1:3000", "127.0.0.1:" + port));
        Path output = where.resolve("tour.out");
        ProcessBuilder builder = new ProcessBuilder("bash", file.toString())
                .directory(where.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(n -> n.startsWith("KEPTLOG_") || n.startsWith("IGGY_"));
        builder.environment().put("PATH", path);
        builder.environment().put("SERVER_PORT", Integer.toString(port));
        Process process = builder.start();
        List<ProcessHandle> started = List.of();
        try {
            assertThat(process.waitFor(DEADLINE_MINUTES, TimeUnit.MINUTES))
                    .as("the tour ends: " + Files.readString(output))
                    .isTrue();
        } finally {
            started = stopServers(port);
        }
        String seen = Files.readString(output);
        System.out.println(seen);
        assertThat(started)
                .as("the server runs at the end of the tour\n" + Files.readString(where.resolve("keptlog.out")))
                .isNotEmpty();
        long lines = Files.readString(Path.of("README.md")).lines().count();
        assertThat(seen)
                .contains("ready again\n")
                .contains("\"stored_in\":\"stable_storage\"")
                .contains("\"stored_lines\":" + lines)
                .doesNotContain("command not found")
                .doesNotContain("\"reason\"");
        assertThat(count(seen, "README.md came back byte for byte, " + lines + " lines"))
                .as(seen)
                .isEqualTo(2);
        assertThat(count(seen, "\"stored_offset\":1")).as(seen).isEqualTo(2);
        assertThat(count(seen, "Zmlyc3Qgb3JkZXI="))
                .as("the first order, before and after the kill")
                .isEqualTo(2);
        assertThat(seen.strip()).as("nothing to report").endsWith("[]");
    }

    private static long count(String text, String part) {
        Matcher matcher = Pattern.compile(Pattern.quote(part)).matcher(text);
        return matcher.results().count();
    }

    /** The tour leaves its server running: it is found by its port, which no other process can have. */
    private static List<ProcessHandle> stopServers(int port) {
        List<ProcessHandle> servers = ProcessHandle.allProcesses()
                .filter(p -> environmentOf(p).contains("SERVER_PORT=" + port + "\0"))
                .filter(p -> p.info().command().orElse("").endsWith("java"))
                .toList();
        servers.forEach(ProcessHandle::destroyForcibly);
        return servers;
    }

    private static String environmentOf(ProcessHandle process) {
        try {
            return Files.readString(
                    Path.of("/proc/" + process.pid() + "/environ"), java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
