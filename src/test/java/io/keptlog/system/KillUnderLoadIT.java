// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.Ledger;
import io.keptlog.system.harness.Load;
import io.keptlog.system.harness.Rounds;
import io.keptlog.system.harness.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGKILL at a random moment under load, again and again: both levels keep every acknowledged message and offset. */
class KillUnderLoadIT {
    private static final int WRITERS = 3;
    private static final int LIVES_OF_A_TOPIC = 10;

    @TempDir
    Path directory;

    @Test
    void fiveKillsLoseNothingAcknowledged() {
        killAgainAndAgain(5);
    }

    @Test
    @Tag("long")
    void fiftyKillsLoseNothingAcknowledged() {
        killAgainAndAgain(Rounds.of(50));
    }

    /** Each start reads everything, so after some lives new topics take the place of the old ones: a round stays short. */
    private void killAgainAndAgain(int rounds) {
        long seed = System.nanoTime();
        System.out.println("KillUnderLoadIT seed " + seed);
        Random random = new Random(seed);
        Path data = directory.resolve("data");
        Ledger[] ledgers = {};
        for (int round = 0; round <= rounds; round++) {
            try (ServerProcess server = ServerProcess.start(data)) {
                Client client = server.client();
                for (Ledger ledger : ledgers) {
                    ledger.verifyAll(client);
                }
                if (round > 0) {
                    Rounds.passed("kills");
                }
                if (round == rounds) {
                    break;
                }
                if (round % LIVES_OF_A_TOPIC == 0) {
                    ledgers = newTopics(client, round);
                }
                kill(server, client, "r" + round, seed + round, 100 + random.nextInt(700), ledgers);
            }
        }
        for (Ledger ledger : ledgers) {
            assertThat(ledger.offsetsAcknowledged()).isEqualTo(WRITERS);
        }
    }

    private static void kill(
            ServerProcess server, Client client, String life, long seed, long millis, Ledger... ledgers) {
        int before = Arrays.stream(ledgers).mapToInt(Ledger::messages).sum();
        Load load = Load.start(client, life, seed, WRITERS, ledgers);
        Await.until(
                "something is acknowledged",
                Duration.ofSeconds(60),
                () -> Arrays.stream(ledgers).mapToInt(Ledger::messages).sum() > before);
        Await.pause(millis);
        server.kill();
        load.join();
        assertThat(load.surprises()).as("in " + life).isEmpty();
    }

    private static Ledger[] newTopics(Client client, int round) {
        if (round > 0) {
            client.delete("/streams/kills").expect(204);
        }
        client.createStream("kills");
        createTopic(client, "replicated");
        createTopic(client, "persisted");
        return new Ledger[] {
            new Ledger(Client.topic("kills", "replicated"), 2), new Ledger(Client.topic("kills", "persisted"), 2)
        };
    }

    /** Small segments, so that kills also meet rolls. */
    private static void createTopic(Client client, String level) {
        Map<String, String> options = new HashMap<>(Client.policies(level));
        options.put("segment_size", "1 MiB");
        client.createTopic("kills", level, 2, options);
    }
}
