// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.Ledger;
import io.keptlog.system.harness.Load;
import io.keptlog.system.harness.ServerProcess;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL at a random moment under load, again and again: both levels keep every acknowledged message and offset. */
class KillUnderLoadIT {
    private static final int WRITERS = 3;

    @TempDir
    Path directory;

    @Test
    void fiveKillsLoseNothingAcknowledged() {
        killAgainAndAgain(5);
    }

    @Test
    @Tag("long")
    void fiftyKillsLoseNothingAcknowledged() {
        killAgainAndAgain(Integer.getInteger("keptlog.rounds", 50));
    }

    private void killAgainAndAgain(int rounds) {
        long seed = System.nanoTime();
        System.out.println("KillUnderLoadIT seed " + seed);
        Random random = new Random(seed);
        Ledger replicated = new Ledger(Client.topic("kills", "replicated"), 2);
        Ledger persisted = new Ledger(Client.topic("kills", "persisted"), 2);
        Path data = directory.resolve("data");
        for (int round = 0; round < rounds; round++) {
            int before = replicated.messages() + persisted.messages();
            try (ServerProcess server = ServerProcess.start(data)) {
                Client client = server.client();
                if (round == 0) {
                    client.createStream("kills");
                    createTopic(client, "replicated");
                    createTopic(client, "persisted");
                } else {
                    replicated.verifyAll(client);
                    persisted.verifyAll(client);
                }
                Load load = Load.start(client, "r" + round, seed + round, WRITERS, replicated, persisted);
                Await.pause(200 + random.nextInt(1000));
                server.kill();
                load.join();
                assertThat(load.surprises()).as("round " + round).isEmpty();
            }
            assertThat(replicated.messages() + persisted.messages())
                    .as("acknowledged in round " + round)
                    .isGreaterThan(before);
        }
        try (ServerProcess server = ServerProcess.start(data)) {
            replicated.verifyAll(server.client());
            persisted.verifyAll(server.client());
            assertThat(replicated.offsetsAcknowledged()).isEqualTo(WRITERS);
            assertThat(persisted.offsetsAcknowledged()).isEqualTo(WRITERS);
        }
    }

    /** Small segments, so that kills also meet rolls. */
    private static void createTopic(Client client, String level) {
        Map<String, String> options = new HashMap<>(Client.policies(level));
        options.put("segment_size", "1 MiB");
        client.createTopic("kills", level, 2, options);
    }
}
