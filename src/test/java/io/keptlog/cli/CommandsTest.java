// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.junit.jupiter.api.Test;

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
            assertThat(Commands.run("health", "--url", base + "/up")).hasValue(HealthCommand.ALIVE);
            assertThat(Commands.run("health", "--url", base + "/down")).hasValue(HealthCommand.NOT_ALIVE);
        } finally {
            server.stop(0);
        }
        assertThat(Commands.run("health", "--url", base + "/up")).hasValue(HealthCommand.NOT_ALIVE);
    }

    @Test
    void healthAsksThePortOfTheEnvironment() {
        assertThat(HealthCommand.defaultUrl(Map.of())).hasPort(3000);
        assertThat(HealthCommand.defaultUrl(Map.of("SERVER_PORT", "8080"))).hasPort(8080);
    }
}
