// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.ServerProcess;
import io.keptlog.system.harness.Shell;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The load generator as users run it: from the jar, against a running server. */
@Tag("long")
class BenchCommandIT {
    private static final JsonMapper JSON = new JsonMapper();

    @TempDir
    Path directory;

    private static Shell.Outcome bench(String arguments) {
        return Shell.tryRun(
                "bash",
                "-c",
                "KEPTLOG_ROOT_USERNAME='" + ServerProcess.USERNAME + "' KEPTLOG_ROOT_PASSWORD='"
                        + ServerProcess.PASSWORD + "' " + ServerProcess.java() + " -XX:TieredStopAtLevel=1 -jar "
                        + ServerProcess.jar() + " bench " + arguments);
    }

    @Test
    void everyWorkloadIsMeasuredAtBothLevelsAndNothingIsLeftBehind() throws IOException {
        Path results = directory.resolve("results.json");
        try (ServerProcess server = ServerProcess.start(directory.resolve("data"))) {
            String url = "--url http://127.0.0.1:" + server.port() + " --warm-up 0 --connections 4 --json " + results;
            for (String workload : List.of(
                    "produce --count 50 --duration 0", "poll --duration 1", "end-to-end --rate 50 --duration 1")) {
                Shell.Outcome outcome = bench(url + " --batch 2 --size 100 --workload " + workload);
                assertThat(outcome.exitCode()).as(outcome.output()).isZero();
            }
            assertThat(server.client().get("/streams").expect(200).json()).isEmpty();
            assertThat(bench(url + " --password wrong").exitCode()).isEqualTo(2);
            assertThat(bench(url + " --batch 0").output()).contains("--batch");
        }
        List<JsonNode> lines =
                Files.readAllLines(results).stream().map(JSON::readTree).toList();
        assertThat(lines)
                .extracting(line -> line.path("workload").asString() + " "
                        + line.path("durability").asString())
                .containsExactly(
                        "produce replicated",
                        "produce persisted",
                        "poll replicated",
                        "poll persisted",
                        "end-to-end replicated",
                        "end-to-end persisted");
        assertThat(lines.get(0).path("requests").asInt()).isEqualTo(50);
        assertThat(lines.get(4).path("requests").asInt())
                .as("each of 50 × 2 messages was read")
                .isEqualTo(100);
        assertThat(lines).allSatisfy(line -> {
            assertThat(line.path("failures")).isEmpty();
            assertThat(line.at("/latency/p50").asLong()).isPositive();
        });
        assertThat(bench("compare " + results + " " + results).output()).contains("throughput × 1.00");
        assertThat(bench("--url http://127.0.0.1:1").exitCode()).isEqualTo(2);
    }
}
