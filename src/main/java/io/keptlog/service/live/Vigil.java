// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.live;

import io.keptlog.domain.Visibility;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.TailWatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One reader's wait. Watches one log at a time, and sleeps until that has news, the server stops, or somebody wakes it. Used by the one
 * thread that reads; {@link #wake} by any. An interrupt does not end a sleep; the flag is restored.
 */
public final class Vigil implements AutoCloseable {
    private final Vigils all;
    private final int userId;
    private final Runnable wake = this::wake;
    private @Nullable TailWatch watch;
    private volatile @Nullable Thread sleeper;
    private volatile boolean woken;

    Vigil(Vigils all, int userId) {
        this.all = all;
        this.userId = userId;
    }

    /** Watches this log from now on, and no other. */
    void over(PartitionLog log, Visibility visibility) {
        TailWatch wanted = log.watch(visibility);
        if (wanted != watch) {
            leave();
            watch = wanted;
            wanted.add(wake);
        }
    }

    /** Before the last look at the log that precedes a sleep. */
    void arm() {
        if (watch != null) {
            watch.arm();
        }
    }

    /** Until woken, at most so long. What woke it since the last sleep counts. */
    void sleep(long nanos) {
        long end = System.nanoTime() + nanos;
        boolean interrupted = false;
        sleeper = Thread.currentThread();
        for (long left = nanos; !woken && left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            interrupted |= Thread.interrupted();
        }
        woken = false;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    public void wake() {
        woken = true;
        Thread sleeping = sleeper;
        if (sleeping != null) {
            LockSupport.unpark(sleeping);
        }
    }

    public boolean isStopping() {
        return all.isStopping();
    }

    private void leave() {
        if (watch != null) {
            watch.remove(wake);
            watch = null;
        }
    }

    @Override
    public void close() {
        leave();
        all.ended(this, userId);
    }
}
