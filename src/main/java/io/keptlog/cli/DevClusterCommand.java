// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli;

import java.io.IOException;
import java.io.PrintStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * A whole cluster on one machine, for trying out and for tests: ZooKeeper, bookies, AutoRecovery and brokers as JVMs of their own, each with a
 * directory and a log. Ports and data stay over a restart. One machine gives no redundancy: its loss is the loss of everything.
 */
@Command(
        name = "dev-cluster",
        description = "Starts ZooKeeper, bookies and brokers on this machine; stops them together.",
        mixinStandardHelpOptions = true)
final class DevClusterCommand implements Callable<Integer> {
    private static final int READY_SECONDS = 300;

    @Option(names = "--bookies", description = "Default: 4.")
    private int bookies = 4;

    @Option(names = "--brokers", description = "Default: 2.")
    private int brokers = 2;

    @Option(names = "--dir", description = "Where everything is kept; default ./dev-cluster")
    private Path directory = Path.of("dev-cluster");

    @Option(
            names = "--port",
            description = "Port of the first broker, the others follow; default 3000, 0 = any free ones.")
    private int port = 3000;

    @Option(names = "--broker-heap", description = "Heap of each broker, in MB; default 512.")
    private int brokerHeapMegabytes = 512;

    @Option(names = "--broker-arg", description = "Passed to every broker, for example --keptlog.write-timeout=2s")
    private List<String> brokerArguments = new ArrayList<>();

    private final List<DevProcess> started = new ArrayList<>();
    private final PrintStream out = System.out;

    @Override
    public Integer call() throws Exception {
        if (bookies < 1 || brokers < 1) {
            System.err.println("at least one bookie and one broker");
            return 2;
        }
        var stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            stop();
            stopped.countDown();
        }));
        try {
            int zooKeeper = zooKeeper();
            storage(zooKeeper);
            List<String> addresses = brokers(zooKeeper);
            out.println();
            out.println("curl -u \"$KEPTLOG_ROOT_USERNAME:$KEPTLOG_ROOT_PASSWORD\" " + addresses.getFirst()
                    + "/cluster/metadata");
            out.println("dev-cluster is ready; Ctrl-C stops it.");
        } catch (Exception e) {
            System.err.println("dev-cluster did not start: " + e.getMessage());
            return 1;
        }
        stopped.await();
        return 0;
    }

    private int zooKeeper() throws Exception {
        int at = port("zookeeper", 0);
        DevProcess process = start(
                "zookeeper", 64, List.of("dev-zookeeper", "--dir", data("zookeeper"), "--port", Integer.toString(at)));
        process.awaitReady(READY_SECONDS);
        out.println("zookeeper     pid " + process.pid() + "  127.0.0.1:" + at);
        return at;
    }

    private void storage(int zooKeeper) throws Exception {
        var starting = new ArrayList<DevProcess>();
        for (int i = 1; i <= bookies; i++) {
            String name = "bookie-" + i;
            starting.add(start(
                    name,
                    256,
                    List.of(
                            "dev-bookie",
                            "--dir",
                            data(name),
                            "--port",
                            Integer.toString(port(name, 0)),
                            "--zookeeper-port",
                            Integer.toString(zooKeeper))));
        }
        for (DevProcess bookie : starting) {
            String id = bookie.awaitReady(READY_SECONDS);
            out.println(bookie.name() + "      pid " + bookie.pid() + "  " + id);
        }
        // Nobody waits for it: its work begins when a bookie has been away for a while.
        DevProcess recovery = start(
                "autorecovery", 128, List.of("dev-autorecovery", "--zookeeper-port", Integer.toString(zooKeeper)));
        out.println("autorecovery  pid " + recovery.pid());
    }

    private List<String> brokers(int zooKeeper) throws Exception {
        Map<String, String> environment = credentials();
        var addresses = new ArrayList<String>();
        for (int i = 1; i <= brokers; i++) {
            String name = "broker-" + i;
            int at = port(name, port == 0 ? 0 : port + i - 1);
            var arguments = new ArrayList<String>(List.of(
                    "--server.port=" + at,
                    "--keptlog.data-dir=" + data(name),
                    "--keptlog.cluster.metadata-uri=zk:127.0.0.1:" + zooKeeper,
                    "--keptlog.cluster.broker-name=" + name));
            arguments.addAll(brokerArguments);
            DevProcess broker = DevProcess.start(
                    name, directory.resolve(name), List.of("-Xmx" + brokerHeapMegabytes + "m"), arguments, environment);
            track(broker);
            // One after the other: the first one makes the first user.
            String address = "http://127.0.0.1:" + at;
            awaitPing(broker, address);
            out.println(name + "      pid " + broker.pid() + "  " + address);
            addresses.add(address);
        }
        return addresses;
    }

    private Map<String, String> credentials() {
        var environment = new HashMap<String, String>();
        if (System.getenv("KEPTLOG_ROOT_USERNAME") == null && System.getenv("KEPTLOG_ROOT_PASSWORD") == null) {
            var random = new byte[12];
            new SecureRandom().nextBytes(random);
            String password = HexFormat.of().formatHex(random);
            environment.put("KEPTLOG_ROOT_USERNAME", "root");
            environment.put("KEPTLOG_ROOT_PASSWORD", password);
            out.println("A cluster that has no users yet gets user root with password " + password);
        }
        return environment;
    }

    private DevProcess start(String name, int heapMegabytes, List<String> arguments) throws IOException {
        DevProcess process = DevProcess.start(
                name,
                directory.resolve(name),
                List.of(
                        "-Xmx" + heapMegabytes + "m",
                        "-XX:MaxDirectMemorySize=" + heapMegabytes + "m",
                        "-XX:+UseSerialGC",
                        // Starts several JVMs at once on one machine: a quick start is worth more than the last of
                        // speed.
                        "-XX:TieredStopAtLevel=1"),
                arguments,
                Map.of());
        track(process);
        return process;
    }

    private synchronized void track(DevProcess process) {
        started.add(process);
    }

    private String data(String name) {
        return directory.resolve(name).resolve("data").toAbsolutePath().toString();
    }

    /** The port of a process stays the same: a bookie is known by it. */
    private int port(String name, int wanted) throws IOException {
        Path file = directory.resolve(name).resolve("port");
        if (Files.exists(file)) {
            return Integer.parseInt(Files.readString(file).strip());
        }
        Files.createDirectories(directory.resolve(name));
        int chosen = free(wanted);
        Files.writeString(file, Integer.toString(chosen));
        return chosen;
    }

    private static int free(int wanted) throws IOException {
        try (var socket = new ServerSocket(wanted, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (java.net.BindException e) {
            try (var any = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                return any.getLocalPort();
            }
        }
    }

    private static void awaitPing(DevProcess broker, String address) throws Exception {
        long until = System.nanoTime() + READY_SECONDS * 1_000_000_000L;
        while (System.nanoTime() < until) {
            if (!broker.alive()) {
                throw new IOException(broker.name() + " has ended; see its log");
            }
            try {
                var connection = (HttpURLConnection)
                        URI.create(address + "/ping").toURL().openConnection();
                connection.setConnectTimeout(1_000);
                connection.setReadTimeout(2_000);
                if (connection.getResponseCode() == 200) {
                    return;
                }
            } catch (IOException e) {
                // Not listening yet: asked again until the deadline.
                Thread.sleep(200);
            }
        }
        throw new IOException(broker.name() + " does not answer at " + address);
    }

    /** Brokers first, so that they hand over and close what they have while the bookies are there. */
    private synchronized void stop() {
        for (int i = started.size() - 1; i >= 0; i--) {
            started.get(i).close();
        }
    }
}
