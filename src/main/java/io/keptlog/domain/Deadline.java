// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A moment on the monotonic clock after which a wait gives up. */
public record Deadline(long atNanos) {
    public static Deadline in(Duration wait) {
        return new Deadline(System.nanoTime() + wait.toNanos());
    }

    public static Deadline inMillis(long millis) {
        return new Deadline(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Nanoseconds left, 0 when it has passed. */
    public long remainingNanos() {
        return Math.max(0, atNanos - System.nanoTime());
    }

    public boolean passed() {
        return remainingNanos() == 0;
    }
}
