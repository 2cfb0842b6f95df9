// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.bench.ClosedLoop.Result;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * More connections with large batches than the server has room for: it refuses quickly and with Retry-After, keeps what it can do, and is
 * itself again at once. Seconds per measurement: {@code -Dbench.seconds=5}.
 */
@Tag("bench")
class OverloadIT {
    private static final Duration MEASURED = Duration.ofSeconds(Integer.getInteger("bench.seconds", 5));
    private static final int WITHIN_CAPACITY = 16;
    private static final int BEYOND = 1024;
    private static final double KEPT_MIN = 0.9;

    @TempDir(factory = TargetDirectory.class)
    Path directory;

    @Test
    void beyondItsCapacityTheServerRefusesQuicklyAndKeepsItsThroughput() {
        try (Setup setup = new Setup(directory)) {
            byte[] body = Setup.messages(1000, 256);
            String topic = setup.topic("overload", "replicated");
            var loop = new ClosedLoop(
                    setup.product.port(),
                    setup.post(topic + "/messages", "application/json", body),
                    201,
                    Set.of(429, 503));
            loop.run(WITHIN_CAPACITY, MEASURED.multipliedBy(2), Duration.ZERO);
            Result peak = row("within", loop.run(WITHIN_CAPACITY, Duration.ofSeconds(1), MEASURED));
            Result beyond = row("beyond", loop.run(BEYOND, Duration.ofSeconds(2), MEASURED));
            Result after = row("afterwards", loop.run(WITHIN_CAPACITY, Duration.ofSeconds(1), MEASURED));
            assertThat(beyond.refusedNanos().getTotalCount()).as("refused").isPositive();
            assertThat(beyond.perSecond()).isGreaterThan(KEPT_MIN * peak.perSecond());
            assertThat(after.perSecond()).isGreaterThan(KEPT_MIN * peak.perSecond());
            assertThat(after.refusedNanos().getTotalCount())
                    .as("refused afterwards")
                    .isZero();
        }
    }

    private static Result row(String when, Result result) {
        System.out.printf(
                Locale.ROOT,
                "%s: %.0f batches/s, p50 %.0f µs, p99 %.0f µs; %d refused, p50 %.0f µs, p99 %.0f µs%n",
                when,
                result.perSecond(),
                result.micros(50),
                result.micros(99),
                result.refusedNanos().getTotalCount(),
                result.refusedNanos().getValueAtPercentile(50) / 1000.0,
                result.refusedNanos().getValueAtPercentile(99) / 1000.0);
        return result;
    }
}
