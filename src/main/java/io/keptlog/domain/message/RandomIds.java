// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.message;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Random 128-bit message ids for messages that came without one. Safe for any number of threads and never blocks: one step of a shared
 * counter, mixed with 128 secret random bits of this process. Two ids of one process always differ (the low half is a bijection of the
 * counter); two of different processes collide as rarely as random numbers do. Unique, not unguessable.
 */
public final class RandomIds {
    private static final long STEP_LOW = 0x9E37_79B9_7F4A_7C15L;
    private static final long STEP_HIGH = 0xD1B5_4A32_D192_ED03L;

    private final long keyHigh;
    private final long keyLow;
    private final AtomicLong counter = new AtomicLong();

    public RandomIds() {
        var random = new SecureRandom();
        this(random.nextLong(), random.nextLong());
    }

    RandomIds(long keyHigh, long keyLow) {
        this.keyHigh = keyHigh;
        this.keyLow = keyLow;
    }

    /** Puts the next id, never 0, into the reader. */
    public void next(MessageIdReader into) {
        do {
            long n = counter.getAndIncrement();
            into.set(mix(keyHigh + n * STEP_HIGH), mix(keyLow + n * STEP_LOW));
        } while (into.isZero());
    }

    /** Stafford's 13th variant of the 64-bit finaliser: a bijection. */
    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
