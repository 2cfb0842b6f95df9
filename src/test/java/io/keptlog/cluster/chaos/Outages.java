// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.chaos;

import java.util.Locale;

/** How long each partition took no write. Thread-safe. */
final class Outages {
    /** Shorter pauses are waiting, not an outage. */
    private static final long COUNTED_NANOS = 1_000_000_000;

    private final long[] last = new long[ChaosPlan.SLOTS];
    private long longest;
    private long total;
    private int count;

    synchronized void begin() {
        java.util.Arrays.fill(last, System.nanoTime());
    }

    synchronized void acknowledged(int slot) {
        long now = System.nanoTime();
        long pause = now - last[slot];
        last[slot] = now;
        longest = Math.max(longest, pause);
        if (pause > COUNTED_NANOS) {
            total += pause;
            count++;
        }
    }

    /** One partition's time, on average. */
    synchronized double unavailableSeconds() {
        return total / 1e9 / ChaosPlan.SLOTS;
    }

    @Override
    public synchronized String toString() {
        return String.format(
                Locale.ROOT,
                "pauses over 1 s: %d, longest %.1f s, %.1f s of each partition's time",
                count,
                longest / 1e9,
                total / 1e9 / ChaosPlan.SLOTS);
    }
}
