// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** Measurements as a table, as lines of JSON, and two files of them side by side. */
final class Report {
    private static final JsonMapper JSON = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .build();
    private static final String HEAD = String.format(
            Locale.ROOT,
            "%-11s %-10s %5s %6s %7s %12s %12s %9s %9s %9s %9s %9s %8s",
            "workload",
            "durability",
            "conns",
            "batch",
            "bytes",
            "requests/s",
            "messages/s",
            "p50 µs",
            "p90 µs",
            "p99 µs",
            "p99.9 µs",
            "max µs",
            "failed");

    private Report() {}

    static String head() {
        return HEAD;
    }

    static String row(Measurement m) {
        return String.format(
                Locale.ROOT,
                "%-11s %-10s %5d %6d %7d %12.0f %12.0f %9d %9d %9d %9d %9d %8d",
                m.workload(),
                m.durability(),
                m.connections(),
                m.batch(),
                m.payloadBytes(),
                m.requestsPerSecond(),
                m.messagesPerSecond(),
                m.latency().p50(),
                m.latency().p90(),
                m.latency().p99(),
                m.latency().p999(),
                m.latency().max(),
                m.failures().values().stream().mapToLong(Long::longValue).sum());
    }

    static String json(Measurement measurement) {
        return JSON.writeValueAsString(measurement);
    }

    /**
     * @throws IOException the file cannot be read, or a line of it is no measurement
     */
    static List<Measurement> read(Path file) throws IOException {
        List<Measurement> measurements = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            try {
                measurements.add(JSON.readValue(line, Measurement.class));
            } catch (JacksonException e) {
                throw new IOException("line " + number + " of " + file + " is no measurement of this command", e);
            }
        }
        return measurements;
    }

    /** For each of the second list with the same load in the first: how much more it does, and how its latency has changed. */
    static List<String> compare(List<Measurement> before, List<Measurement> after) {
        List<String> lines = new ArrayList<>();
        for (Measurement now : after) {
            before.stream().filter(now::sameLoad).findFirst().ifPresent(then -> {
                lines.add(row(then));
                lines.add(row(now));
                lines.add(String.format(
                        Locale.ROOT,
                        "  throughput × %.2f, p50 × %.2f, p99 × %.2f",
                        now.requestsPerSecond() / then.requestsPerSecond(),
                        ratio(now.latency().p50(), then.latency().p50()),
                        ratio(now.latency().p99(), then.latency().p99())));
            });
        }
        return lines;
    }

    private static double ratio(long now, long then) {
        return (double) now / Math.max(1, then);
    }
}
