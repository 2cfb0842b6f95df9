// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.cluster.ledger.LedgerFixture;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.domain.Durability;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.QuorumPolicy;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Appends of 1 KB, 16 at once, to bookies of the same JVM: in turns without a rollover and with as many as the default segment size gives. A
 * rollover holds up what is on its way; that must be too little to show in p99.9.
 */
@Tag("bench")
class RolloverBenchIT {
    private static final QuorumPolicy POLICY = new QuorumPolicy(2, 2, 2);
    private static final int AT_ONCE = 16;
    /** 128 MiB of 1 KB. */
    private static final int PER_LEDGER = 131_072;

    private static final int APPENDS = Integer.getInteger("rollover.appends", PER_LEDGER);

    @TempDir
    Path directory;

    @Test
    void aRolloverDoesNotShowInTheTail() throws Exception {
        try (var cluster = new LocalCluster(directory, 2);
                var broker = new LedgerFixture(cluster)) {
            PartitionSpec spec = new PartitionSpec(
                    LedgerFixture.newSpec(Durability.PERSISTED).ref(),
                    7,
                    new io.keptlog.domain.LogOptions(1 << 30, Durability.PERSISTED, 1000, 1 << 20, false));
            try (LedgerLog log = broker.create(spec, POLICY)) {
                run(log, 20_000, 0);
                Histogram without = run(log, APPENDS, 0);
                Histogram with = run(log, APPENDS, 1);
                Histogram many = run(log, 20_000, 20);
                print("no rollover", without);
                print("one rollover per " + APPENDS, with);
                print("twenty rollovers per 20,000", many);
                assertThat(with.getValueAtPercentile(99.9)).isLessThan(2 * without.getValueAtPercentile(99.9));
            }
        }
    }

    private static Histogram run(LedgerLog log, int appends, int rollovers) throws Exception {
        var nanos = new ConcurrentHistogram(60_000_000_000L, 3);
        var next = new AtomicInteger();
        int ledgers = log.ledgers().size();
        String payload = "x".repeat(1000);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < AT_ONCE; i++) {
                threads.submit(() -> {
                    for (int n = next.getAndIncrement(); n < appends; n = next.getAndIncrement()) {
                        if (rollovers > 0 && n % (appends / rollovers) == appends / rollovers / 2) {
                            log.requestRoll();
                            log.maintain(POLICY);
                        }
                        long began = System.nanoTime();
                        LedgerFixture.append(log, payload);
                        nanos.recordValue(System.nanoTime() - began);
                    }
                    return null;
                });
            }
        }
        assertThat(log.ledgers().size() - ledgers).isBetween(rollovers / 2, rollovers + 1);
        return nanos;
    }

    private static void print(String what, Histogram nanos) {
        System.out.printf(
                Locale.ROOT,
                "%s: p50 %d µs, p99 %d µs, p99.9 %d µs, max %d µs%n",
                what,
                nanos.getValueAtPercentile(50) / 1000,
                nanos.getValueAtPercentile(99) / 1000,
                nanos.getValueAtPercentile(99.9) / 1000,
                nanos.getMaxValue() / 1000);
    }
}
