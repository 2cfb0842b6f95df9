// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import io.keptlog.system.harness.Shell;
import java.util.ArrayList;
import java.util.List;

/**
 * A network namespace for each part, joined by a bridge in the namespace of this process, which must be one of its own (unshare --net --mount):
 * everything made here ends with it. Each part has a second line to this process, for its clients, that is never cut.
 */
final class Namespaces implements Network {
    private static final String BRIDGE = "hub";
    private static final String CLUSTER = "10.201.0.";
    private static final String CLIENTS = "10.202.";

    private final List<String> parts = new ArrayList<>();

    Namespaces() {
        run("ip link set lo up");
        run("mkdir -p /run/netns");
        // Names of namespaces are files: in a file system that this process alone sees.
        run("mount -t tmpfs none /run/netns");
        run("ip link add " + BRIDGE + " type bridge");
        run("ip addr add " + CLUSTER + "1/24 dev " + BRIDGE);
        run("ip link set " + BRIDGE + " up");
    }

    /** Whether this machine and user can have them. */
    static boolean possible() {
        return Shell.tryRun("unshare", "--net", "--mount", "ip", "link", "add", "hub", "type", "bridge")
                        .exitCode()
                == 0;
    }

    private static void run(String command) {
        Shell.Outcome outcome = Shell.tryRun("sh", "-c", command);
        if (outcome.exitCode() != 0) {
            throw new IllegalStateException(command + ": " + outcome.output());
        }
    }

    /** 1 is this process. */
    private synchronized int number(String part) {
        int at = parts.indexOf(part);
        if (at < 0) {
            throw new IllegalArgumentException("no part " + part);
        }
        return at + 2;
    }

    private synchronized int next(String part) {
        parts.add(part);
        return parts.size() + 1;
    }

    @Override
    public void add(String part) {
        int n = next(part);
        run("ip netns add ns" + n);
        run("ip netns exec ns" + n + " ip link set lo up");
        run("ip link add c" + n + " type veth peer name cluster netns ns" + n);
        run("ip link set c" + n + " master " + BRIDGE);
        run("ip link set c" + n + " up");
        run("ip netns exec ns" + n + " ip addr add " + CLUSTER + n + "/24 dev cluster");
        run("ip netns exec ns" + n + " ip link set cluster up");
        run("ip link add l" + n + " type veth peer name clients netns ns" + n);
        run("ip addr add " + CLIENTS + n + ".1/24 dev l" + n);
        run("ip link set l" + n + " up");
        run("ip netns exec ns" + n + " ip addr add " + CLIENTS + n + ".2/24 dev clients");
        run("ip netns exec ns" + n + " ip link set clients up");
    }

    @Override
    public List<String> prefix(String part) {
        return List.of("ip", "netns", "exec", "ns" + number(part));
    }

    @Override
    public String host(String part) {
        return CLUSTER + number(part);
    }

    @Override
    public String clientHost(String part) {
        return CLIENTS + number(part) + ".2";
    }

    @Override
    public boolean canCut() {
        return true;
    }

    @Override
    public void cut(String part) {
        run("ip link set c" + number(part) + " down");
    }

    @Override
    public void heal(String part) {
        run("ip link set c" + number(part) + " up");
    }
}
