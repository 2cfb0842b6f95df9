// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.KeptlogException;
import io.keptlog.storage.TailWatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToLongBiFunction;

/**
 * The end of a partition that may be at any broker, for those who wait for it here. While somebody does, one virtual thread asks the owner
 * to say when the end has moved, however many wait; with nobody left it ends after its last question. Thread-safe. When the owner cannot
 * be asked, those who wait look for themselves and get the answer.
 */
final class RoutedTail {
    private static final int QUESTION_MILLIS = 10_000;
    private static final long PAUSE_NANOS = 200_000_000;

    private final ToLongBiFunction<Long, Deadline> endBeyond;
    private final AtomicBoolean asking = new AtomicBoolean();
    private final TailWatch watch = new TailWatch(this::ask);

    /**
     * @param endBeyond waits until the end lies beyond this, at most to the deadline, and returns it
     */
    RoutedTail(ToLongBiFunction<Long, Deadline> endBeyond) {
        this.endBeyond = endBeyond;
    }

    TailWatch watch() {
        return watch;
    }

    private void ask() {
        if (!asking.get() && asking.compareAndSet(false, true)) {
            var unused = Thread.ofVirtual().name("routed-tail").start(this::askOn);
        }
    }

    private void askOn() {
        long known = 0;
        while (watch.isWatched()) {
            try {
                long end = endBeyond.applyAsLong(known, Deadline.inMillis(QUESTION_MILLIS));
                if (end != known) {
                    known = end;
                    watch.tell();
                }
            } catch (KeptlogException e) {
                watch.tell();
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        }
        asking.set(false);
        if (watch.isWatched()) {
            ask();
        }
    }
}
