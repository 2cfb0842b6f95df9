// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A Tomcat without any application: it answers 404, which is an answer. */
class FairProtocolTest {
    private static final int MAX = 3;
    private static final int TIMEOUT_MILLIS = 20_000;

    @TempDir
    Path directory;

    private final List<Socket> sockets = new ArrayList<>();
    private final Tomcat tomcat = new Tomcat();
    private Connector connector;

    @BeforeEach
    void start() throws Exception {
        var protocol = new FairProtocol();
        protocol.maxConnectionsPerAddress(MAX);
        connector = new Connector(protocol);
        connector.setPort(0);
        connector.setProperty("address", "0.0.0.0");
        tomcat.setBaseDir(directory.toString());
        tomcat.setConnector(connector);
        tomcat.addContext("", directory.toString());
        tomcat.start();
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        tomcat.stop();
        tomcat.destroy();
    }

    private Socket connect(String from) throws IOException {
        var socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
        socket.connect(new InetSocketAddress("127.0.0.1", connector.getLocalPort()), TIMEOUT_MILLIS);
        return socket;
    }

    /** Whether a request on this connection gets an answer. */
    private static boolean isServed(Socket socket) throws IOException {
        try {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (SocketException e) {
            // Closed while something was still on its way to it.
            return false;
        }
    }

    @Test
    void anAddressThatHoldsAsManyAsItMayGetsNoMoreAndOthersDo() throws Exception {
        for (int i = 0; i < MAX; i++) {
            assertThat(isServed(connect("127.0.0.1"))).isTrue();
        }
        assertThat(isServed(connect("127.0.0.1"))).as("one too many").isFalse();
        assertThat(isServed(connect("127.0.0.2"))).as("another address").isTrue();
        assertThat(isServed(sockets.getFirst())).as("what was there stays").isTrue();
        sockets.getFirst().close();
        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(isServed(connect("127.0.0.1"))).isTrue());
    }
}
