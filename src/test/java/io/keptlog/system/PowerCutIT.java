// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.Ledger;
import io.keptlog.system.harness.Load;
import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file system loses power under load: nothing persisted is gone; of replicated at most a suffix of about the last second.
 *
 * <p>The tool that cuts the power of a loop-mounted ext4 is found by the system property {@code powercut.tool}; its commands are
 * {@code make IMG SIZE_MB DIR}, {@code cut DIR}, {@code restore IMG DIR} and {@code clean IMG DIR}.
 */
@Tag("root")
class PowerCutIT {
    private static final Path TOOL = Path.of(System.getProperty("powercut.tool", "../shared/fault/powercut.py"))
            .toAbsolutePath();
    private static final int ROUNDS = Integer.getInteger("keptlog.rounds", 3);
    private static final int WRITERS = 2;
    /** The age limit of unsynced data is 1 s; one more for a busy machine. */
    private static final long WINDOW_NANOS = 2_000_000_000L;

    @TempDir
    Path directory;

    @Test
    void aPowerCutLosesNothingPersistedAndOfReplicatedAtMostAboutTheLastSecond() {
        assumeTrue(Shell.isRoot(), "needs root to mount a loop device");
        assumeTrue(Files.exists(TOOL), "needs a tool that cuts the power: " + TOOL + " (-Dpowercut.tool=…)");
        long seed = System.nanoTime();
        System.out.println("PowerCutIT seed " + seed);
        String image = directory.resolve("disk.img").toString();
        String disk = directory.resolve("disk").toString();
        Path data = Path.of(disk, "data");
        powercut("make", image, "512", disk);
        try {
            Ledger replicated = new Ledger(Client.topic("cuts", "replicated"), 1);
            Ledger persisted = new Ledger(Client.topic("cuts", "persisted"), 1);
            Random random = new Random(seed);
            try (ServerProcess server = ServerProcess.start(data)) {
                server.client().createStream("cuts");
                createTopic(server.client(), "replicated");
                createTopic(server.client(), "persisted");
                loadUntilCut(server, disk, "first", 2500 + random.nextInt(1500), replicated, persisted);
            }
            for (int round = 1; round <= ROUNDS; round++) {
                powercut("restore", image, disk);
                // A ledger of one life: offsets that the cut took are given again, with other messages.
                try (ServerProcess server = ServerProcess.start(data)) {
                    Client client = server.client();
                    int lost = replicated.verifyUpTo(client, cutNanos - WINDOW_NANOS);
                    persisted.verifyAll(client);
                    System.out.println("PowerCutIT round " + round + ": " + persisted.messages()
                            + " persisted kept, of " + replicated.messages() + " replicated " + lost + " lost");
                    assertThat(persisted.messages()).isPositive();
                    replicated = new Ledger(Client.topic("cuts", "replicated"), 1);
                    loadUntilCut(server, disk, "round" + round, 1500 + random.nextInt(2000), replicated, persisted);
                }
            }
        } finally {
            powercut("clean", image, disk);
        }
    }

    private long cutNanos;

    private void loadUntilCut(ServerProcess server, String disk, String life, long millis, Ledger... ledgers) {
        Load load = Load.start(server.client(), life, cutNanos + millis, WRITERS, ledgers);
        Await.pause(millis);
        assertThat(load.surprises()).as("before the cut").isEmpty();
        cutNanos = System.nanoTime();
        powercut("cut", disk);
        server.kill();
        load.join();
    }

    private static void createTopic(Client client, String level) {
        Map<String, String> options = new HashMap<>(Client.policies(level));
        options.put("segment_size", "1 MiB");
        client.createTopic("cuts", level, 1, options);
    }

    private static void powercut(String... arguments) {
        String[] command = new String[arguments.length + 2];
        command[0] = "python3";
        command[1] = TOOL.toString();
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        Shell.run(command);
    }
}
