// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Await;
import io.keptlog.system.harness.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order to stop that comes in the last moments of a start is a stop like any other, not a failure. */
@Tag("long")
class StopWhileStartingIT {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"store-lock", "Tomcat started on port", "Started Keptlog"})
    void aStopAtTheEndOfAStartIsNoFailure(String moment) {
        Path data = directory.resolve("data");
        try (ServerProcess server = ServerProcess.launch(data)) {
            Await.until(
                    moment,
                    Duration.ofMinutes(2),
                    () -> moment.equals("store-lock")
                            ? data.resolve("streams").toFile().exists()
                                    || data.resolve("fresh").toFile().exists()
                            : server.log().contains(moment));
            int exitCode = server.terminate(Duration.ofSeconds(60));
            assertThat(exitCode).as("143 is a JVM's answer to SIGTERM").isIn(0, 143);
            assertThat(server.log())
                    .doesNotContain("\tat ")
                    .doesNotContain("ERROR")
                    .doesNotContain("did not start")
                    .doesNotContainPattern("WARN.*springdoc")
                    .doesNotContainPattern("WARN.*SpringDoc");
        }
    }
}
