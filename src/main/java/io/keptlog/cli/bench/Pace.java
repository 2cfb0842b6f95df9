// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cli.bench;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Says when the next request is meant to be sent. Without a rate: when it is asked. With one: at its place in an even row, whatever became
 * of the requests before it; a request that is late because the server stalled counts from there (no coordinated omission). Safe for
 * any number of threads. Times as {@link System#nanoTime}.
 */
final class Pace {
    /** No more requests. */
    static final long OVER = Long.MIN_VALUE;

    private static final double NANOS = 1e9;

    private final long beginNanos;
    private final long lengthNanos;
    private final double intervalNanos;
    private final long count;
    private final AtomicLong next = new AtomicLong();

    /**
     * @param perSecond 0 = no rate
     * @param count requests at most; 0 = no limit
     * @param length zero = no limit
     */
    Pace(long beginNanos, double perSecond, long count, Duration length) {
        this.beginNanos = beginNanos;
        this.intervalNanos = perSecond > 0 ? NANOS / perSecond : 0;
        this.count = count;
        this.lengthNanos = length.isZero() ? Long.MAX_VALUE : length.toNanos();
    }

    /** Waits until a request is due. */
    long await() throws InterruptedException {
        long number = next.getAndIncrement();
        if (count > 0 && number >= count) {
            return OVER;
        }
        long elapsed = System.nanoTime() - beginNanos;
        if (intervalNanos == 0) {
            return elapsed >= lengthNanos ? OVER : beginNanos + elapsed;
        }
        long due = (long) (number * intervalNanos);
        if (due >= lengthNanos) {
            return OVER;
        }
        if (due > elapsed) {
            TimeUnit.NANOSECONDS.sleep(due - elapsed);
        }
        return beginNanos + due;
    }
}
