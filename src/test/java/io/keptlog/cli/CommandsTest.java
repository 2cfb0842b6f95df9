// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.keptlog.cli.drill.DrillCommand;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
    @Test
    void argumentsThatNameNoCommandAreForTheServer() {
        assertThat(Commands.run()).isEmpty();
        assertThat(Commands.run("--server.port=0")).isEmpty();
        assertThat(Commands.run("--server.port=0", "health")).isEmpty();
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
