// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A server with a certificate in PEM files, as docs/operating.md has it, and the commands that people reach it with. */
class TlsIT {
    @TempDir
    Path directory;

    private Shell.Outcome keptlog(int port, String arguments) {
        return Shell.tryRun(
                "bash",
                "-c",
                "KEPTLOG_CLIENT_URL=https://127.0.0.1:" + port + " KEPTLOG_CLIENT_USERNAME=" + ServerProcess.USERNAME
                        + " KEPTLOG_CLIENT_PASSWORD=" + ServerProcess.PASSWORD + " '" + ServerProcess.java()
                        + "' -XX:TieredStopAtLevel=1 -jar '" + ServerProcess.jar() + "' " + arguments);
    }

    /** A command of docs/operating.md that begins so, as one line. */
    private static String documented(String start) throws IOException {
        return Files.readString(Path.of("docs/operating.md"))
                .replaceAll("\\\\\n +", "")
                .lines()
                .filter(line -> line.startsWith(start))
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Tag("long")
    void aServerWithACertificateIsReachedByTlsAlone() throws Exception {
        Assumptions.assumeTrue(Shell.has("openssl"), "openssl makes the certificate");
        Path certificate = directory.resolve("tls.crt");
        String makeCertificate = documented("openssl req ").replace("tls.", directory + "/tls.");
        Shell.run("bash", "-c", makeCertificate);
        Path accessLog = directory.resolve("access");
        List<String> arguments = new ArrayList<>(List.of("--keptlog.access-log=" + accessLog));
        arguments.addAll(List.of(documented("java -jar target/keptlog.jar --server.address")
                .replace("/etc/keptlog/", directory + "/")
                .split(" +")));
        arguments.removeAll(List.of("java", "-jar", "target/keptlog.jar"));
        assertThat(arguments).hasSize(5);
        try (ServerProcess server = ServerProcess.launch(directory.resolve("data"), arguments.toArray(String[]::new))) {
            int port = server.awaitPort().port();
            await().atMost(Duration.ofMinutes(4)).until(() -> server.log().contains("Promise: "));
            assertThat(server.log()).contains("Ready: https://127.0.0.1:").doesNotContain("without TLS");
            String trusting = " --ca-file '" + certificate + "'";
            Shell.Outcome made = keptlog(port, "stream create secure" + trusting);
            assertThat(made.exitCode()).as(made.output()).isZero();
            Shell.Outcome stranger = keptlog(port, "stream list");
            assertThat(stranger.exitCode()).as(stranger.output()).isEqualTo(2);
            assertThat(stranger.output()).contains("does not answer").contains("--ca-file");
            Shell.Outcome withoutTls = keptlog(port, "stream list --url http://127.0.0.1:" + port);
            assertThat(withoutTls.output()).contains("it speaks https, not http");
            Shell.Outcome health = Shell.tryRun(
                    "bash",
                    "-c",
                    "SERVER_SSL_BUNDLE=https SERVER_PORT=" + port + " '" + ServerProcess.java() + "' -jar '"
                            + ServerProcess.jar() + "' health");
            assertThat(health.exitCode()).as(health.output()).isZero();
            assertThat(plain(port)).as("no answer without TLS").doesNotContain("200");
            assertThat(server.terminate(Duration.ofSeconds(30))).isIn(0, 143);
            assertThat(lines(accessLog)).anySatisfy(line -> {
                assertThat(line.path("method").asString()).isEqualTo("POST");
                assertThat(line.path("path").asString()).isEqualTo("/streams");
                assertThat(line.path("statusCode").asString()).isEqualTo("200");
            });
        }
    }

    private static String plain(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write("GET /ping HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private static List<JsonNode> lines(Path accessLog) throws IOException {
        try (Stream<Path> files = Files.list(accessLog)) {
            Path file = files.findFirst().orElseThrow();
            return Files.readAllLines(file).stream()
                    .map(line -> new JsonMapper().readTree(line))
                    .toList();
        }
    }
}
