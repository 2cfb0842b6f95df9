// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.Ledger;
import io.keptlog.system.harness.Load;
import io.keptlog.system.harness.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SIGTERM under load: the stop is short, and everything acknowledged is there after the next start, with nothing to report. */
class GracefulStopIT {
    private static final Duration STOP_MAX = Duration.ofSeconds(8);
    private static final int ROUNDS = 3;

    @TempDir
    Path directory;

    @Test
    void aStopUnderLoadIsShortAndKeepsEverythingAcknowledged() {
        Ledger replicated = new Ledger(Client.topic("stops", "replicated"), 2);
        Ledger persisted = new Ledger(Client.topic("stops", "persisted"), 2);
        Path data = directory.resolve("data");
        for (int round = 0; round <= ROUNDS; round++) {
            try (ServerProcess server = ServerProcess.start(data)) {
                Client client = server.client();
                if (round == 0) {
                    client.createStream("stops");
                    client.createTopic("stops", "replicated", 2, Client.policies("replicated"));
                    client.createTopic("stops", "persisted", 2, Client.policies("persisted"));
                }
                replicated.verifyAll(client);
                persisted.verifyAll(client);
                assertThat(client.get("/recovery").expect(200).json()).isEmpty();
                Load load = Load.start(client, "stop" + round, round, 2, replicated, persisted);
                Await.pause(700);
                assertThat(load.surprises()).isEmpty();
                long began = System.nanoTime();
                int exitCode = server.terminate(Duration.ofSeconds(20));
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                load.join();
                System.out.println("GracefulStopIT: stopped in " + took.toMillis() + " ms, exit code " + exitCode);
                assertThat(exitCode).as("143 is a JVM's answer to SIGTERM").isIn(0, 143);
                assertThat(took).isLessThanOrEqualTo(STOP_MAX);
                assertThat(load.surprises())
                        .as("refused while stopping, never failed")
                        .allMatch(s -> s.startsWith("503 "));
                assertThat(replicated.messages()).isPositive();
                assertThat(persisted.messages()).isPositive();
            }
        }
    }
}
