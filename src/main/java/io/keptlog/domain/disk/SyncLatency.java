// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.disk;

import java.util.Arrays;

/** How long small writes took until their syncs had returned. Microseconds, but for what is finer than one: nanoseconds. */
public record SyncLatency(int samples, long minNanos, long p50Nanos, long p99Nanos, long maxNanos) {
    private static final int PERCENT = 100;
    private static final int P99 = 99;

    public static SyncLatency of(long[] nanos) {
        if (nanos.length == 0) {
            throw new IllegalArgumentException("no sample");
        }
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        int p99 = Math.min(sorted.length - 1, sorted.length * P99 / PERCENT);
        return new SyncLatency(
                sorted.length, sorted[0], sorted[sorted.length / 2], sorted[p99], sorted[sorted.length - 1]);
    }
}
