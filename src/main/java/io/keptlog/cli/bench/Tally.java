// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** What came of the requests of one measurement. Safe for any number of threads. */
final class Tally {
    private static final long LONGEST_NANOS = 600_000_000_000L;
    private static final int DIGITS = 3;

    private final Histogram latencies = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
    private final LongAdder successes = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final Map<String, LongAdder> failuresByKind = new ConcurrentSkipListMap<>();

    void success(long nanos) {
        latencies.recordValue(Math.clamp(nanos, 1, LONGEST_NANOS));
        successes.increment();
    }

    /**
     * @param kind a status, or what broke; few different ones
     */
    void failure(String kind) {
        failures.increment();
        failuresByKind.computeIfAbsent(kind, k -> new LongAdder()).increment();
    }

    long successes() {
        return successes.sum();
    }

    long failures() {
        return failures.sum();
    }

    Map<String, Long> failuresByKind() {
        var counts = new TreeMap<String, Long>();
        failuresByKind.forEach((kind, count) -> counts.put(kind, count.sum()));
        return counts;
    }

    long micros(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1_000;
    }

    long maxMicros() {
        return latencies.getMaxValue() / 1_000;
    }
}
