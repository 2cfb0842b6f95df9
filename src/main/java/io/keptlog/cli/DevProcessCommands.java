// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import io.keptlog.cluster.dev.LocalAutoRecovery;
import io.keptlog.cluster.dev.LocalBookie;
import io.keptlog.cluster.dev.LocalZooKeeper;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The processes that dev-cluster starts. Each says "ready" with its address, and ends when its parent does or on SIGTERM. */
final class DevProcessCommands {
    private static final String LOCAL = "127.0.0.1";

    private DevProcessCommands() {}

    /** Runs until the parent's end of the pipe is closed, then closes the part. */
    private static int serve(AutoCloseable part, String ready) throws Exception {
        var ended = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(part)));
        System.out.println("ready " + ready);
        Thread.ofPlatform().daemon().name("parent-watch").start(() -> {
            try {
                // The parent writes nothing: the pipe ends with it.
                System.in.transferTo(OutputStream.nullOutputStream());
            } catch (IOException e) {
                System.err.println("the parent's pipe: " + e);
            }
            ended.countDown();
        });
        ended.await();
        return 0;
    }

    private static void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            System.err.println("did not stop cleanly: " + e);
        }
    }

    /** One ZooKeeper server. */
    @Command(name = "dev-zookeeper", hidden = true, description = "A ZooKeeper server for dev-cluster.")
    static final class ZooKeeper implements Callable<Integer> {
        @Option(names = "--dir", required = true)
        private Path directory = Path.of(".");

        @Option(names = "--host", defaultValue = LOCAL)
        private String host = LOCAL;

        @Option(names = "--port")
        private int port;

        @Override
        public Integer call() throws Exception {
            var server = new LocalZooKeeper(directory, host, port);
            LocalBookie.format(uri(host, server.port()));
            return serve(server, host + ":" + server.port());
        }
    }

    static String uri(String zooKeeperHost, int zooKeeperPort) {
        return "zk+hierarchical://" + zooKeeperHost + ":" + zooKeeperPort + "/ledgers";
    }

    /** One bookie. */
    @Command(name = "dev-bookie", hidden = true, description = "A bookie for dev-cluster.")
    static final class Bookie implements Callable<Integer> {
        @Option(names = "--dir", required = true)
        private Path directory = Path.of(".");

        @Option(names = "--host", defaultValue = LOCAL)
        private String host = LOCAL;

        @Option(names = "--port")
        private int port;

        @Option(names = "--zookeeper-host", defaultValue = LOCAL)
        private String zooKeeperHost = LOCAL;

        @Option(names = "--zookeeper-port", required = true)
        private int zooKeeperPort;

        @Option(names = "--journal-sync", arity = "1", defaultValue = "true")
        private boolean journalSync = true;

        @Override
        public Integer call() throws Exception {
            var bookie = new LocalBookie(uri(zooKeeperHost, zooKeeperPort), directory, host, port, journalSync);
            return serve(bookie, bookie.id());
        }
    }

    /** BookKeeper's AutoRecovery. */
    @Command(name = "dev-autorecovery", hidden = true, description = "AutoRecovery for dev-cluster.")
    static final class AutoRecovery implements Callable<Integer> {
        @Option(names = "--zookeeper-host", defaultValue = LOCAL)
        private String zooKeeperHost = LOCAL;

        @Option(names = "--zookeeper-port", required = true)
        private int zooKeeperPort;

        @Override
        public Integer call() throws Exception {
            return serve(new LocalAutoRecovery(uri(zooKeeperHost, zooKeeperPort)), "autorecovery");
        }
    }
}
