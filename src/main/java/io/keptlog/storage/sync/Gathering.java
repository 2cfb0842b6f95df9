// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import io.keptlog.domain.Limits;
import java.util.concurrent.locks.LockSupport;

/**
 * How long a sync that somebody waits for waits for more company: as long as the last one took, when that one released a crowd; else not
 * at all, so that a single writer never waits. A crowd that was just released writes again within that time, and shares one sync
 * instead of several. Used by one sync at a time, on any thread.
 * <p>It also knows whether the last sync was quick and for few.
 */
final class Gathering {
    private volatile long pauseNanos;
    private volatile boolean quick;

    /** Before a sync. */
    void pause() {
        if (pauseNanos > 0) {
            LockSupport.parkNanos(this, pauseNanos);
        }
    }

    /** How long {@link #pause} takes. */
    long pauseNanos() {
        return pauseNanos;
    }

    /** Whether the last sync took no longer than {@link Limits#SYNC_QUICK_NANOS} and released no crowd; false before the first. */
    boolean quick() {
        return quick;
    }

    /** After a good one. */
    void synced(int released, long nanos) {
        quick = released < Limits.SYNC_CROWD && nanos <= Limits.SYNC_QUICK_NANOS;
        pauseNanos = released >= Limits.SYNC_CROWD ? Math.min(nanos, Limits.SYNC_GATHER_MAX_NANOS) : 0;
    }
}
