// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.dev;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** One ZooKeeper server on this machine with its data in a directory. Evaluation and tests only: a single server has no quorum. */
public final class LocalZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 1000;
    private static final int CONNECTIONS_MAX = 1000;

    private final ZooKeeperServer server;
    private final NIOServerCnxnFactory connections;

    /**
     * @param port 0 = any free one
     * @throws IOException the directory or the port cannot be used
     */
    public LocalZooKeeper(Path directory, int port) throws IOException, InterruptedException {
        this(directory, "127.0.0.1", port);
    }

    /**
     * @param host an address of this machine to listen at
     */
    public LocalZooKeeper(Path directory, String host, int port) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        // The embedded server has no admin console; only the standalone launcher would start one.
        server = new ZooKeeperServer(directory.toFile(), directory.toFile(), TICK_MILLIS);
        server.setMinSessionTimeout(2 * TICK_MILLIS);
        server.setMaxSessionTimeout(60 * TICK_MILLIS);
        connections = new NIOServerCnxnFactory();
        connections.configure(new InetSocketAddress(host, port), CONNECTIONS_MAX);
        connections.startup(server);
    }

    public int port() {
        return connections.getLocalPort();
    }

    @Override
    public void close() {
        connections.shutdown();
        server.shutdown();
    }
}
