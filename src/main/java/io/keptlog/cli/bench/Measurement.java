// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.Map;

/**
 * What was measured; one line of JSON.
 *
 * @param latency in microseconds; at a fixed rate from the moment the request was meant to be sent, so that a server that stalls is not
 *     asked less
 * @param failures by status, or by what broke
 */
@JsonIgnoreProperties(ignoreUnknown = true)
record Measurement(
        String workload,
        String durability,
        String ack,
        int connections,
        int batch,
        int payloadBytes,
        int partitions,
        double rate,
        double seconds,
        long requests,
        double requestsPerSecond,
        double messagesPerSecond,
        double megabytesPerSecond,
        Latency latency,
        Map<String, Long> failures) {

    /** Microseconds. */
    record Latency(long p50, long p90, long p99, long p999, long max) {}

    private static final double NANOS = 1e9;
    private static final double MEGABYTE = 1e6;

    static Measurement of(Plan plan, Tally tally, long nanos) {
        double seconds = nanos / NANOS;
        double requests = tally.successes() / seconds;
        int perRequest = plan.workload() == Workload.END_TO_END ? 1 : plan.batch();
        return new Measurement(
                plan.workload().wireName(),
                plan.durability(),
                plan.ack(),
                plan.connections(),
                plan.batch(),
                plan.payloadBytes(),
                plan.partitions(),
                plan.perSecond(),
                seconds,
                tally.successes(),
                requests,
                requests * perRequest,
                requests * perRequest * plan.payloadBytes() / MEGABYTE,
                new Latency(
                        tally.micros(50), tally.micros(90), tally.micros(99), tally.micros(99.9), tally.maxMicros()),
                tally.failuresByKind());
    }

    /** Whether two of them measured the same thing. */
    boolean sameLoad(Measurement other) {
        return workload.equals(other.workload)
                && durability.equals(other.durability)
                && ack.equals(other.ack)
                && connections == other.connections
                && batch == other.batch
                && payloadBytes == other.payloadBytes
                && partitions == other.partitions
                && rate == other.rate;
    }
}
