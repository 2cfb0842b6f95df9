// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.Ledger;
import io.keptlog.system.harness.Load;
import io.keptlog.system.harness.LoopDisk;
import io.keptlog.system.harness.Rounds;
import io.keptlog.system.harness.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file system loses power under load: nothing persisted is gone; of replicated at most a suffix of about the last second. */
@Tag("root")
class PowerCutIT {
    private static final int WRITERS = 2;
    private static final int LIVES_OF_A_TOPIC = 10;
    private static final int DISK_MEGABYTES = 512;
    /** The age limit of unsynced data is 1 s; one more for a busy machine. */
    private static final long WINDOW_NANOS = 2_000_000_000L;

    @TempDir
    Path directory;

    @Test
    void aPowerCutLosesNothingPersistedAndOfReplicatedAtMostAboutTheLastSecond() {
        long seed = System.nanoTime();
        System.out.println("PowerCutIT seed " + seed);
        Random random = new Random(seed);
        int rounds = Rounds.of(3);
        Ledger replicated = null;
        Ledger persisted = null;
        long cutNanos = 0;
        try (LoopDisk disk = LoopDisk.make(directory, DISK_MEGABYTES)) {
            Path data = disk.mountPoint().resolve("data");
            for (int round = 0; round <= rounds; round++) {
                try (ServerProcess server = ServerProcess.start(data)) {
                    Client client = server.client();
                    if (replicated != null && persisted != null) {
                        int lost = replicated.verifyUpTo(client, cutNanos - WINDOW_NANOS);
                        persisted.verifyAll(client);
                        System.out.println("PowerCutIT round " + round + ": " + persisted.messages()
                                + " persisted kept, of " + replicated.messages() + " replicated " + lost + " lost");
                        assertThat(persisted.messages()).isPositive();
                        Rounds.passed("cuts");
                    }
                    if (round == rounds) {
                        break;
                    }
                    if (round % LIVES_OF_A_TOPIC == 0) {
                        newTopics(client, round);
                        persisted = new Ledger(Client.topic("cuts", "persisted"), 1);
                    }
                    // A ledger of one life: offsets that the cut took are given again, with other messages.
                    replicated = new Ledger(Client.topic("cuts", "replicated"), 1);
                    // Most cuts meet what is not synced yet, some what was synced or written back.
                    long millis = 200 + random.nextInt(random.nextInt(4) == 0 ? 2_500 : 1_000);
                    cutNanos = loadUntilCut(server, disk, "round" + round, seed + round, millis, replicated, persisted);
                }
                disk.restorePower();
            }
        }
    }

    private static long loadUntilCut(
            ServerProcess server, LoopDisk disk, String life, long seed, long millis, Ledger... ledgers) {
        Load load = Load.start(server.client(), life, seed, WRITERS, ledgers);
        for (Ledger ledger : ledgers) {
            Await.until("an acknowledgement of " + ledger.topic(), Duration.ofSeconds(60), () -> ledger.messages() > 0);
        }
        Await.pause(millis);
        assertThat(load.surprises()).as("before the cut").isEmpty();
        long cutNanos = System.nanoTime();
        disk.cutPower();
        server.kill();
        load.join();
        return cutNanos;
    }

    private static void newTopics(Client client, int round) {
        if (round > 0) {
            client.delete("/streams/cuts").expect(204);
        }
        client.createStream("cuts");
        createTopic(client, "replicated");
        createTopic(client, "persisted");
    }

    private static void createTopic(Client client, String level) {
        Map<String, String> options = new HashMap<>(Client.policies(level));
        options.put("segment_size", "1 MiB");
        client.createTopic("cuts", level, 1, options);
    }
}
