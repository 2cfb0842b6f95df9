// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures a running server over HTTP. Makes a stream of its own and deletes it; touches nothing else. */
@Command(
        name = "bench",
        description = "Measures a running server over HTTP: throughput and latency of produce, of poll, or from the"
                + " sending of a message to its reading. Makes a stream of its own and deletes it.",
        footer = "Exit code: 0 measured, 1 measured but requests failed, 2 could not be measured.",
        subcommands = CompareCommand.class,
        mixinStandardHelpOptions = true)
public final class BenchCommand implements Callable<Integer> {
    static final int MEASURED = 0;
    static final int FAILURES = 1;
    static final int NOT_MEASURED = 2;

    private static final double MILLIS = 1000;

    @Option(names = "--url", defaultValue = "http://127.0.0.1:3000", description = "Default: ${DEFAULT-VALUE}.")
    private URI url = URI.create("http://127.0.0.1:3000");

    @Option(
            names = "--username",
            defaultValue = "${env:KEPTLOG_ROOT_USERNAME:-iggy}",
            description = "Default: KEPTLOG_ROOT_USERNAME, else iggy.")
    private String username = "iggy";

    @Option(
            names = "--password",
            defaultValue = "${env:KEPTLOG_ROOT_PASSWORD}",
            description = "Default: KEPTLOG_ROOT_PASSWORD, which does not show in the list of processes.")
    private @Nullable String password;

    @Option(
            names = "--workload",
            defaultValue = "produce",
            description = "produce, poll or end-to-end; default ${DEFAULT-VALUE}.")
    private String workload = "produce";

    @Option(
            names = "--durability",
            split = ",",
            defaultValue = "replicated,persisted",
            description = "Levels of the topics, measured one after the other; default ${DEFAULT-VALUE}.")
    private List<String> durabilities = List.of();

    @Option(
            names = "--ack",
            defaultValue = "replicated",
            description = "replicated waits for the level; none does not.")
    private String ack = "replicated";

    @Option(names = "--connections", defaultValue = "16", description = "Default ${DEFAULT-VALUE}.")
    private int connections;

    @Option(names = "--batch", defaultValue = "1", description = "Messages per request; default ${DEFAULT-VALUE}.")
    private int batch;

    @Option(names = "--size", defaultValue = "1024", description = "Bytes per message; default ${DEFAULT-VALUE}.")
    private int payloadBytes;

    @Option(names = "--partitions", defaultValue = "1", description = "Default ${DEFAULT-VALUE}.")
    private int partitions;

    @Option(
            names = "--rate",
            defaultValue = "0",
            description = "Requests per second in all; latency then counts from when a request was due. 0: as fast as"
                    + " answers come.")
    private double rate;

    @Option(names = "--duration", defaultValue = "10", description = "Seconds per level; default ${DEFAULT-VALUE}.")
    private double seconds;

    @Option(names = "--count", defaultValue = "0", description = "Requests per level at most; 0: as the time allows.")
    private long count;

    @Option(names = "--warm-up", defaultValue = "5", description = "Seconds per level; default ${DEFAULT-VALUE}.")
    private double warmUpSeconds;

    @Option(names = "--json", description = "Also append each result to this file, as one line of JSON.")
    private @Nullable Path json;

    @Option(names = "--keep", description = "Leave the stream behind.")
    private boolean keep;

    @Override
    public Integer call() throws InterruptedException {
        List<Plan> plans = new ArrayList<>();
        try {
            for (String durability : durabilities) {
                plans.add(plan(durability));
            }
        } catch (IllegalArgumentException e) {
            return refuse(e.getMessage());
        }
        if (password == null || password.isEmpty()) {
            return refuse("a password is needed: set KEPTLOG_ROOT_PASSWORD or give --password");
        }
        String stream = "keptlog-bench-" + UUID.randomUUID();
        try (BenchClient client = new BenchClient(url, username, password, stream)) {
            client.createStream();
            try {
                return measure(client, plans);
            } finally {
                if (keep) {
                    System.out.println("The stream " + stream + " was left behind.");
                } else {
                    client.deleteStream();
                }
            }
        } catch (IOException e) {
            return refuse(e.getMessage() == null ? url + " does not answer (" + e + ")" : e.getMessage());
        }
    }

    private static int refuse(@Nullable String why) {
        System.err.println("Nothing was measured: " + why);
        return NOT_MEASURED;
    }

    private Plan plan(String durability) {
        return new Plan(
                workload(),
                durability,
                ack,
                connections,
                batch,
                payloadBytes,
                partitions,
                rate,
                count,
                duration(warmUpSeconds),
                duration(seconds));
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis((long) (seconds * MILLIS));
    }

    private Workload workload() {
        for (Workload known : Workload.values()) {
            if (known.wireName().equals(workload)) {
                return known;
            }
        }
        throw new IllegalArgumentException("--workload is produce, poll or end-to-end");
    }

    private int measure(BenchClient client, List<Plan> plans) throws IOException, InterruptedException {
        for (Plan plan : plans) {
            if (!plan.warmUp().isZero()) {
                run(client, plan.warming(), "warm-up " + plan.durability());
            }
        }
        System.out.println(Report.head());
        boolean failed = false;
        for (Plan plan : plans) {
            Measurement measured = run(client, plan, plan.workload().wireName() + " " + plan.durability());
            System.out.println(Report.row(measured));
            measured.failures()
                    .forEach((kind, times) -> System.out.println("  failed: " + kind + ", " + times + " times"));
            failed |= !measured.failures().isEmpty();
            if (json != null) {
                Files.writeString(
                        json, Report.json(measured) + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
            }
        }
        return failed ? FAILURES : MEASURED;
    }

    private static Measurement run(BenchClient client, Plan plan, String label)
            throws IOException, InterruptedException {
        String topic = "t-" + UUID.randomUUID();
        Load load = new Load(client, plan, topic);
        var live = new Live(label, load.tally());
        try {
            return load.run();
        } finally {
            live.close();
            client.deleteTopic(topic);
        }
    }
}
