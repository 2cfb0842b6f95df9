// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.time.Duration;

/**
 * One measurement.
 *
 * @param durability of the topic
 * @param ack {@code replicated} waits for what the topic promises, {@code none} for nothing
 * @param batch messages per request
 * @param payloadBytes of each message
 * @param perSecond requests per second over all connections; 0 = each connection sends when it has its answer
 * @param count requests at most; 0 = as many as the time allows
 */
record Plan(
        Workload workload,
        String durability,
        String ack,
        int connections,
        int batch,
        int payloadBytes,
        int partitions,
        double perSecond,
        long count,
        Duration warmUp,
        Duration measured) {
    private static final int CONNECTIONS_MAX = 10_000;
    private static final int BATCH_MAX = 100_000;
    private static final int PAYLOAD_MAX_BYTES = 64_000_000;
    private static final int PARTITIONS_MAX = 1_000;

    /**
     * @throws IllegalArgumentException with a sentence for the user
     */
    Plan {
        between("--connections", connections, CONNECTIONS_MAX);
        between("--batch", batch, BATCH_MAX);
        between("--size", payloadBytes, PAYLOAD_MAX_BYTES);
        between("--partitions", partitions, PARTITIONS_MAX);
        if (!ack.equals("replicated") && !ack.equals("none")) {
            throw new IllegalArgumentException("--ack is replicated or none");
        }
        if (!durability.equals("replicated") && !durability.equals("persisted")) {
            throw new IllegalArgumentException("--durability is replicated, persisted, or both with a comma between");
        }
        if (!(perSecond >= 0) || perSecond > 1e9) {
            throw new IllegalArgumentException("--rate is 0 (as fast as answers come) or more requests per second");
        }
        if (count < 0 || warmUp.isNegative() || measured.isNegative() || (count == 0 && measured.isZero())) {
            throw new IllegalArgumentException("--duration, --warm-up and --count are not negative, and one of"
                    + " --duration and --count is above 0");
        }
        if (workload == Workload.END_TO_END && payloadBytes < Message.STAMP_BYTES) {
            throw new IllegalArgumentException("--size is at least " + Message.STAMP_BYTES
                    + " for end-to-end: a message carries the time it was meant to be sent at");
        }
    }

    private static void between(String option, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(option + " is between 1 and " + max);
        }
    }

    /** The same load, only to make both sides warm. */
    Plan warming() {
        return new Plan(
                workload, durability, ack, connections, batch, payloadBytes, partitions, perSecond, 0, warmUp, warmUp);
    }
}
