// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.depth;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Lets a background audit read so many bytes in a second, after at most a second's worth at once. One thread; a stop ends its waits. */
final class AuditPace {
    private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long bytesPerSecond;
    private final CountDownLatch stopped;
    private long paidNanos = System.nanoTime();

    AuditPace(long bytesPerSecond, CountDownLatch stopped) {
        this.bytesPerSecond = bytesPerSecond;
        this.stopped = stopped;
    }

    void read(long bytes) {
        long now = System.nanoTime();
        paidNanos = Math.max(paidNanos, now - BURST_NANOS)
                + (long) (bytes * (double) TimeUnit.SECONDS.toNanos(1) / bytesPerSecond);
        if (paidNanos > now) {
            pause(paidNanos - now);
        }
    }

    /** @return whether it was stopped meanwhile */
    boolean pause(long nanos) {
        try {
            return stopped.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // Only the stop ends this thread; a shorter pause does no harm.
            return stopped.getCount() == 0;
        }
    }
}
