// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
    @TempDir
    Path directory;

    private static Plan plan(String durability, int connections) {
        return new Plan(
                Workload.PRODUCE,
                durability,
                "replicated",
                connections,
                10,
                100,
                1,
                0,
                0,
                Duration.ZERO,
                Duration.ofSeconds(2));
    }

    private static Measurement measured(String durability, int requests, long nanosEach) {
        var tally = new Tally();
        for (int i = 0; i < requests; i++) {
            tally.success(nanosEach);
        }
        tally.failure("503");
        return Measurement.of(plan(durability, 4), tally, 2_000_000_000L);
    }

    @Test
    void ratesAndLatenciesAreWhatWasCounted() {
        Measurement measured = measured("persisted", 1000, 2_000_000);
        assertThat(measured.requestsPerSecond()).isEqualTo(500);
        assertThat(measured.messagesPerSecond()).isEqualTo(5000);
        assertThat(measured.megabytesPerSecond()).isEqualTo(0.5);
        assertThat(measured.latency().p50()).isBetween(1_999L, 2_010L);
        assertThat(measured.failures()).containsEntry("503", 1L);
    }

    @Test
    void aLineOfJsonIsReadBackAndComparedWithTheSameLoadOnly() throws IOException {
        Path before = directory.resolve("before");
        Path after = directory.resolve("after");
        Files.writeString(before, Report.json(measured("persisted", 1000, 2_000_000)) + "\n");
        Files.writeString(
                after,
                Report.json(measured("replicated", 10, 5_000_000)) + "\n\n"
                        + Report.json(measured("persisted", 3000, 1_000_000)) + "\n");
        List<String> lines = Report.compare(Report.read(before), Report.read(after));
        assertThat(lines).hasSize(3);
        assertThat(lines.getLast()).contains("throughput × 3.00", "p50 × 0.50");
    }

    @Test
    void aFileOfSomethingElseIsRefusedWithItsLine() throws IOException {
        Path file = Files.writeString(directory.resolve("other"), "\nnot a result\n");
        assertThatThrownBy(() -> Report.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("line 2");
    }

    @Test
    void aPlanThatCannotBeRunIsRefusedWithItsOption() {
        assertThatThrownBy(() -> plan("persisted", 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--connections");
        assertThatThrownBy(() -> plan("often", 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--durability");
    }

    @Test
    void aStampComesBackOutOfItsPayload() {
        String body = new String(Message.body(3, 2, 20, 123_456_789L), java.nio.charset.StandardCharsets.US_ASCII);
        String payload = body.replaceAll(".*\"payload\":\"([^\"]+)\".*", "$1");
        assertThat(Message.stampNanos(payload)).isEqualTo(123_456_789L);
    }
}
