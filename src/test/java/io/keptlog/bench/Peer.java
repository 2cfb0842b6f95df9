// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;

/** A process of another product on a port of this machine, stopped when closed. */
final class Peer implements AutoCloseable {
    private final Process process;
    private final int port;

    private Peer(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** What starts a peer on a port. */
    interface Command {
        List<String> on(int port);
    }

    static Peer start(Command command, Path log) {
        int port = freePort();
        try {
            Process process = new ProcessBuilder(command.on(port))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            Awaitility.await(log.toString()).atMost(Duration.ofSeconds(60)).until(() -> {
                if (!process.isAlive()) {
                    throw new IllegalStateException(Files.readString(log));
                }
                return listens(port);
            });
            return new Peer(process, port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 200);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
