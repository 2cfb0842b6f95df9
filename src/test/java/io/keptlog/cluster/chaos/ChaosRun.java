// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import io.keptlog.cluster.chaos.Calls.Answer;
import io.keptlog.cluster.chaos.Known.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;

/**
 * One history from its start to the last check, as a process of its own: in namespaces it must be alone in its own. Exit code 0: nothing was
 * wrong; 1: what was wrong is in the output. Ends with whoever started it.
 */
final class ChaosRun {
    /** After the last disturbance: every partition takes writes and everything can be read. */
    private static final int HEALED_SECONDS = 60;

    private final ChaosPlan plan;
    private final Known known = new Known();

    private ChaosRun(ChaosPlan plan) {
        this.plan = plan;
    }

    public static void main(String[] arguments) throws Exception {
        Thread.ofPlatform().daemon().name("parent-watch").start(ChaosRun::endWithParent);
        ChaosPlan plan = ChaosPlan.of(arguments);
        Network network = plan.namespaces() ? new Namespaces() : Network.loopback();
        var cluster = new ChaosCluster(plan, network);
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::close));
        System.exit(new ChaosRun(plan).run(cluster) ? 0 : 1);
    }

    private static void endWithParent() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            System.err.println("the parent's pipe: " + e);
        }
        System.exit(2);
    }

    private boolean run(ChaosCluster cluster) throws IOException {
        System.out.println("chaos " + plan);
        cluster.start();
        try (var calls = new Calls()) {
            createTopics(calls, cluster.addresses().getFirst());
            var clients = new Clients(calls, cluster.addresses(), known);
            var adversary = new Adversary(cluster, known, plan.ackQuorum() - 1);
            double healed;
            try (clients) {
                clients.start(plan.seed());
                adversary.start(plan.seed());
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(plan.seconds()));
                adversary.stop();
                healed = awaitWritable(calls, cluster.addresses());
            }
            long began = System.nanoTime();
            for (String address : cluster.addresses()) {
                for (int slot = 0; slot < ChaosPlan.SLOTS; slot++) {
                    known.verify(slot, readAll(calls, address, slot));
                }
            }
            report(clients, adversary, healed, (System.nanoTime() - began) / 1e9);
        }
        return known.violations().isEmpty();
    }

    private void createTopics(Calls calls, String address) {
        String options = "{\"ensemble_size\":\"" + plan.ensembleSize() + "\",\"write_quorum\":\"" + plan.writeQuorum()
                + "\",\"ack_quorum\":\"" + plan.ackQuorum() + "\"}";
        require(calls.send(address, "POST", "/streams", "{\"name\":\"chaos\",\"options\":" + options + "}"));
        for (int topic = 0; topic < ChaosPlan.TOPICS; topic++) {
            String level = topic == 0 ? "persisted" : "replicated";
            // The smallest segment: ledgers are rolled all the time.
            require(calls.send(
                    address,
                    "POST",
                    "/streams/chaos/topics",
                    "{\"name\":\"topic" + topic + "\",\"partitions_count\":" + ChaosPlan.PARTITIONS
                            + ",\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0,"
                            + "\"options\":{\"segment_size\":\"1048576\",\"durability\":\"" + level
                            + "\",\"consumer_offset_durability\":\"" + level + "\"}}"));
        }
    }

    private static void require(Answer answer) {
        if (answer.status() != 200) {
            throw new IllegalStateException("cannot begin: " + answer);
        }
    }

    /** @return after how many seconds every partition took a write through every broker */
    private double awaitWritable(Calls calls, List<String> addresses) {
        long began = System.nanoTime();
        long until = began + TimeUnit.SECONDS.toNanos(HEALED_SECONDS);
        for (String address : addresses) {
            for (int slot = 0; slot < ChaosPlan.SLOTS; slot++) {
                Answer answer;
                long number = 0;
                do {
                    String name = Payloads.name('h', slot, addresses.indexOf(address), number++);
                    known.sent(name);
                    answer = calls.produce(address, slot, List.of(name));
                } while (answer.status() != 201 && System.nanoTime() < until && paused());
                if (answer.status() != 201) {
                    known.violation("no write to slot " + slot + " through " + address + " within " + HEALED_SECONDS
                            + " s after the last disturbance: " + answer);
                }
            }
        }
        return (System.nanoTime() - began) / 1e9;
    }

    private static boolean paused() {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        return true;
    }

    private List<String> readAll(Calls calls, String address, int slot) {
        var payloads = new ArrayList<String>();
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(HEALED_SECONDS);
        while (true) {
            Answer answer = calls.poll(address, slot, payloads.size(), 500);
            if (answer.status() != 200) {
                if (System.nanoTime() > until) {
                    known.violation("slot " + slot + " cannot be read from " + payloads.size() + " on: " + answer);
                    return payloads;
                }
                paused();
                continue;
            }
            JsonNode messages = answer.json().get("messages");
            if (messages.isEmpty()) {
                return payloads;
            }
            for (JsonNode message : messages) {
                if (Calls.offset(message) != payloads.size()) {
                    known.violation("a hole: slot " + slot + " offset " + payloads.size());
                    return payloads;
                }
                payloads.add(Calls.payload(message));
            }
        }
    }

    private void report(Clients clients, Adversary adversary, double healed, double readSeconds) {
        System.out.printf(
                Locale.ROOT,
                "chaos seed %d, %s, %d s: acknowledged %d plain + %d idempotent, unknown %d, refused %d; read %d,"
                        + " offsets stored %d, checks %d%n",
                plan.seed(),
                plan.policy(),
                plan.seconds(),
                clients.plain.get(),
                clients.idempotent.get(),
                known.count(Outcome.UNKNOWN),
                known.count(Outcome.REFUSED),
                clients.read.get(),
                clients.offsetsStored.get(),
                known.checks.get());
        System.out.println("events " + adversary.events());
        clients.answers().forEach((answer, count) -> System.out.println("  " + count + " × " + answer));
        System.out.println(clients.outages);
        System.out.printf(
                Locale.ROOT,
                "writable %.1f s after the last heal; all read %d times in %.1f s; violations %d%n",
                healed,
                plan.brokers(),
                readSeconds,
                known.violations().size());
        known.violations().forEach(v -> System.out.println("VIOLATION " + v));
    }
}
