// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for a condition, not for time. */
final class Await {
    private static final long PAUSE_NANOS = 5_000_000;

    private Await() {}

    static void until(Duration atMost, BooleanSupplier condition) {
        long end = System.nanoTime() + atMost.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("not within " + atMost);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
