// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system.harness;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for a condition, never for a time. Throws AssertionError with the last failure when the deadline passes. */
public final class Await {
    private static final long PAUSE_MILLIS = 25;

    private Await() {}

    public static void until(String what, Duration atMost, Callable<Boolean> condition) {
        long end = System.nanoTime() + atMost.toNanos();
        Exception last = null;
        while (true) {
            try {
                if (condition.call()) {
                    return;
                }
                last = null;
            } catch (Exception e) {
                last = e;
            }
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + atMost + ": " + what, last);
            }
            pause(PAUSE_MILLIS);
        }
    }

    /** Lets a phase of load last; not for waiting until something has happened. */
    public static void pause(long millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }
}
