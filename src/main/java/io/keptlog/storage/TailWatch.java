// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage;

import io.keptlog.domain.Deadline;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * Who waits for a log to have more to read. The log tells it after its end has moved, and when it will never move again.
 * <p>Any thread. Telling costs one volatile read while nobody waits; with waiters the teller starts one virtual thread, which wakes all of
 * them, and goes on: an append never waits for a reader, however many there are.
 * <p>No wake-up is lost: who waits first arms, then looks at the log again, then sleeps; who appends first moves the end, then tells. It
 * keeps nothing that a crash could lose and throws nothing.
 */
public final class TailWatch {
    private final Runnable whenWatched;
    private final AtomicBoolean armed = new AtomicBoolean();
    private final Set<Runnable> watchers = ConcurrentHashMap.newKeySet(1);

    /** Of a log that tells by itself. */
    public TailWatch() {
        this(() -> {});
    }

    /**
     * @param whenWatched run whenever somebody begins to watch, for a log that has to find out by itself
     */
    public TailWatch(Runnable whenWatched) {
        this.whenWatched = whenWatched;
    }

    /**
     * From now on this is run after each change that somebody armed for.
     *
     * @param wake returns at once, throws nothing, and may be run when nothing has changed
     */
    public void add(Runnable wake) {
        watchers.add(wake);
        whenWatched.run();
    }

    public void remove(Runnable wake) {
        watchers.remove(wake);
    }

    public boolean isWatched() {
        return !watchers.isEmpty();
    }

    /** Before the last look at the log that precedes a sleep: the next change after this wakes. */
    public void arm() {
        armed.set(true);
    }

    /** The end has moved, or never will again. */
    public void tell() {
        if (armed.get() && armed.compareAndSet(true, false)) {
            var unused = Thread.ofVirtual().name("tail-watch").start(this::wakeAll);
        }
    }

    /**
     * Waits until the end lies beyond what is known. An interrupt does not end the wait; the flag is restored.
     *
     * @return the end at that moment, or at the deadline
     */
    public long awaitBeyond(long known, LongSupplier end, Deadline deadline) {
        Thread waiting = Thread.currentThread();
        Runnable wake = () -> LockSupport.unpark(waiting);
        boolean interrupted = false;
        add(wake);
        try {
            arm();
            long now = end.getAsLong();
            while (now <= known && !deadline.passed()) {
                LockSupport.parkNanos(this, deadline.remainingNanos());
                interrupted |= Thread.interrupted();
                arm();
                now = end.getAsLong();
            }
            return now;
        } finally {
            remove(wake);
            if (interrupted) {
                waiting.interrupt();
            }
        }
    }

    private void wakeAll() {
        watchers.forEach(Runnable::run);
    }
}
