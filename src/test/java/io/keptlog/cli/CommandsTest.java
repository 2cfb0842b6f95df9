// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.keptlog.cli.drill.DrillCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
    @Test
    void argumentsThatNameNoCommandAreForTheServer() {
        assertThat(Commands.run()).isEmpty();
        assertThat(Commands.run("--server.port=0")).isEmpty();
        assertThat(Commands.run("--server.port=0", "--debug")).isEmpty();
    }

    @Test
    void whatIsNeitherACommandNorASettingStartsNoServer() {
        assertThat(told("produse", "shop", "lines"))
                .contains("produse")
                .containsPattern("Did you mean: .*keptlog produce");
        assertThat(told("--port=99")).contains("'--port=99' means nothing").contains("--server.port=3000");
        assertThat(told("--server.port=0", "health")).contains("'health' means nothing");
        assertThat(told("-p", "99")).contains("'-p'");
    }

    @Test
    void helpAndVersionAreAnsweredInsteadOfAServer() {
        for (String option : List.of("--help", "-h", "--version", "-V")) {
            assertThat(Commands.run(option)).as(option).hasValue(0);
        }
        PrintStream before = System.out;
        var caught = new ByteArrayOutputStream();
        System.setOut(new PrintStream(caught, true, StandardCharsets.UTF_8));
        try {
            assertThat(Commands.run("--version")).hasValue(0);
            assertThat(Commands.run("verify", "--version")).hasValue(0);
        } finally {
            System.setOut(before);
        }
        assertThat(caught.toString(StandardCharsets.UTF_8).lines())
                .hasSize(2)
                .allMatch(line -> line.matches("keptlog \\S+"));
    }

    @Test
    void whoCannotReachTheServerIsToldWhatToDo(@TempDir Path directory) throws IOException {
        String password =
                Files.writeString(directory.resolve("password"), "secret\n").toString();
        assertThat(told("stream", "list", "--url", "127.0.0.1:3000"))
                .contains("(--url, KEPTLOG_CLIENT_URL) looks like http://127.0.0.1:3000, not like 127.0.0.1:3000");
        String there;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            there = "127.0.0.1:" + closed.getLocalPort();
        }
        assertThat(told("stream", "list", "--password-file", password, "--url", "http://" + there))
                .contains("nothing listens there. Is the server running?");
    }

    /** What a call that is wrong says on standard error. */
    private static String told(String... arguments) {
        PrintStream before = System.err;
        var caught = new ByteArrayOutputStream();
        System.setErr(new PrintStream(caught, true, StandardCharsets.UTF_8));
        try {
            assertThat(Commands.run(arguments)).hasValue(2);
        } finally {
            System.setErr(before);
        }
        return caught.toString(StandardCharsets.UTF_8);
    }

    @Test
    void healthIsZeroOnlyWhenTheServerAnswers200() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/up", exchange -> {
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.createContext("/down", exchange -> {
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        });
        server.start();
        String base = "http://127.0.0.1:" + server.getAddress().getPort();
        try {
            assertThat(Commands.run("health", "--timeout-millis", "60000", "--url", base + "/up"))
                    .hasValue(HealthCommand.ALIVE);
            assertThat(Commands.run("health", "--timeout-millis", "60000", "--url", base + "/down"))
                    .hasValue(HealthCommand.NOT_ALIVE);
        } finally {
            server.stop(0);
        }
        assertThat(Commands.run("health", "--timeout-millis", "60000", "--url", base + "/up"))
                .hasValue(HealthCommand.NOT_ALIVE);
    }

    @Test
    void whatCannotBeReadIsTwoAndWhatIsRefusedIsOne(@TempDir Path directory) {
        String here = directory.toString();
        assertThat(Commands.run("verify", "--data-dir", here)).hasValue(VerifyCommand.UNREADABLE);
        assertThat(Commands.run("dump", directory.resolve("absent.log").toString()))
                .hasValue(DumpCommand.UNREADABLE);
        assertThat(Commands.run("repair", "--data-dir", here, "--partition", "0/0/0", "--cut"))
                .hasValue(RepairCommand.REFUSED);
        assertThat(Commands.run("repair", "--data-dir", here, "--partition", "all", "--cut"))
                .hasValue(RepairCommand.REFUSED);
        int usage = 2;
        assertThat(Commands.run("repair", "--data-dir", here, "--partition", "0/0/0"))
                .as("there is no default of what becomes of what lies beyond")
                .hasValue(usage);
        assertThat(Commands.run("repair", "--partition", "0/0/0", "--cut", "--keep-beyond"))
                .hasValue(usage);
        assertThat(Commands.run("drill", "--directory", here, "--kills", "0")).hasValue(DrillCommand.NOT_RUN);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void healthAsksThePortOfTheEnvironment() {
        assertThat(HealthCommand.defaultUrl(Map.of())).hasPort(3000);
        assertThat(HealthCommand.defaultUrl(Map.of("SERVER_PORT", "8080")))
                .hasScheme("http")
                .hasPort(8080);
        assertThat(HealthCommand.defaultUrl(Map.of("SERVER_SSL_BUNDLE", "https")))
                .hasScheme("https");
    }
}
