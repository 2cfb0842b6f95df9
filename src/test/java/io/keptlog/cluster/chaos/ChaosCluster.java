// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import io.keptlog.system.harness.Shell;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** ZooKeeper, bookies, AutoRecovery and brokers as child processes of the product's own jar, each in its place of the network. */
final class ChaosCluster implements AutoCloseable {
    private static final int READY_SECONDS = 120;
    private static final String ZOOKEEPER = "zookeeper";

    private final ChaosPlan plan;
    private final Network network;
    private final Path program;
    private final Map<String, Part> parts = new TreeMap<>();
    private final Map<String, Integer> brokerPorts = new TreeMap<>();
    private final Set<Integer> ports = new HashSet<>();
    private int zooKeeperPort;
    private int bookiesMade;

    ChaosCluster(ChaosPlan plan, Network network) {
        this.plan = plan;
        this.network = network;
        // Unpacked it starts in half the time.
        program = plan.directory().resolve("jar").resolve(plan.jar().getFileName());
        Shell.run(
                java(),
                "-Djarmode=tools",
                "-jar",
                plan.jar().toString(),
                "extract",
                "--force",
                "--destination",
                plan.directory().resolve("jar").toString());
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    Network network() {
        return network;
    }

    /** The first broker makes the first user. */
    void start() throws IOException {
        network.add(ZOOKEEPER);
        zooKeeperPort = freePort();
        part(
                ZOOKEEPER,
                small(64),
                List.of(
                        "dev-zookeeper",
                        "--dir",
                        data(ZOOKEEPER),
                        "--host",
                        network.host(ZOOKEEPER),
                        "--port",
                        Integer.toString(zooKeeperPort)),
                "ready ");
        begin(ZOOKEEPER);
        var bookies = new ArrayList<String>();
        for (int i = 0; i < plan.bookies(); i++) {
            bookies.add(addBookie());
        }
        for (String bookie : bookies) {
            begin(bookie);
        }
        network.add("autorecovery");
        part(
                "autorecovery",
                small(96),
                List.of(
                        "dev-autorecovery",
                        "--zookeeper-host",
                        network.host(ZOOKEEPER),
                        "--zookeeper-port",
                        Integer.toString(zooKeeperPort)),
                "ready ");
        parts.get("autorecovery").start();
        for (int i = 1; i <= plan.brokers(); i++) {
            addBroker("broker-" + i);
            begin("broker-" + i);
        }
    }

    private void begin(String name) {
        Part part = part(name);
        part.start();
        if (!part.awaitReady(READY_SECONDS)) {
            throw new IllegalStateException(name + " does not start; see its log");
        }
    }

    private static List<String> small(int heapMegabytes) {
        return List.of(
                "-Xmx" + heapMegabytes + "m",
                "-XX:MaxDirectMemorySize=" + heapMegabytes + "m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1");
    }

    /** Started at once, not waited for. @return its name */
    synchronized String addBookie() throws IOException {
        String name = "bookie-" + ++bookiesMade;
        network.add(name);
        part(
                name,
                small(192),
                List.of(
                        "dev-bookie",
                        "--dir",
                        data(name),
                        "--host",
                        network.host(name),
                        "--port",
                        Integer.toString(freePort()),
                        "--zookeeper-host",
                        network.host(ZOOKEEPER),
                        "--zookeeper-port",
                        Integer.toString(zooKeeperPort)),
                "ready ");
        part(name).start();
        return name;
    }

    private void addBroker(String name) throws IOException {
        network.add(name);
        int port = freePort();
        brokerPorts.put(name, port);
        part(
                name,
                List.of("-Xmx320m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                List.of(
                        "--server.address=0.0.0.0",
                        "--server.port=" + port,
                        "--keptlog.data-dir=" + data(name),
                        "--keptlog.cluster.metadata-uri=zk:" + network.host(ZOOKEEPER) + ":" + zooKeeperPort,
                        "--keptlog.cluster.broker-name=" + name,
                        "--keptlog.cluster.advertised-address=" + network.clientHost(name) + ":" + port,
                        "--keptlog.cluster.peer-host=" + network.host(name),
                        "--keptlog.cluster.session-timeout=6s"),
                "Ready: http");
    }

    private synchronized void part(String name, List<String> jvm, List<String> arguments, String readyMark)
            throws IOException {
        Path home = Files.createDirectories(plan.directory().resolve(name));
        var command = new ArrayList<>(network.prefix(name));
        command.add(java());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvm);
        command.addAll(List.of("-jar", program.toString()));
        command.addAll(arguments);
        parts.put(
                name,
                new Part(
                        name,
                        command,
                        Map.of("KEPTLOG_ROOT_USERNAME", "root", "KEPTLOG_ROOT_PASSWORD", "root-password"),
                        home.resolve("log"),
                        readyMark));
    }

    private String data(String name) {
        return plan.directory().resolve(name).resolve("data").toAbsolutePath().toString();
    }

    private synchronized int freePort() throws IOException {
        while (true) {
            try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                if (ports.add(socket.getLocalPort())) {
                    return socket.getLocalPort();
                }
            }
        }
    }

    synchronized Part part(String name) {
        Part part = parts.get(name);
        if (part == null) {
            throw new IllegalArgumentException("no part " + name);
        }
        return part;
    }

    synchronized List<String> names(String kind) {
        return parts.keySet().stream().filter(n -> n.startsWith(kind)).toList();
    }

    /** For good: what it had on its disk is gone, and it does not come back. */
    void lose(String bookie) {
        Part part = part(bookie);
        part.kill();
        Shell.run("rm", "-rf", data(bookie));
        synchronized (this) {
            parts.remove(bookie);
        }
    }

    /** Where clients send to. */
    List<String> addresses() {
        return brokerPorts.keySet().stream().map(this::address).toList();
    }

    String address(String broker) {
        return "http://" + network.clientHost(broker) + ":" + brokerPorts.get(broker);
    }

    @Override
    public void close() {
        for (String name : names("")) {
            Part part = part(name);
            part.close();
        }
    }
}
