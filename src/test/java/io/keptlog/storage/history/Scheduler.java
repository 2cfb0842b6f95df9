// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * The threads and the clock of one simulated process. Its threads are virtual threads that the calling thread runs one at a time, in an
 * order that a seed decides; its clock moves a little with each look and, when nobody can run, to the next timer. So the same seed gives
 * the same history. A process is killed by no longer running it: what its threads held is garbage then.
 */
final class Scheduler implements Executor {
    private static final MethodHandle NEW_THREAD = newThread();

    /** The process that runs now; one at a time in each class loader. */
    private static @Nullable Scheduler current;

    private final Random random;
    private final List<Runnable> ready = new ArrayList<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long nanos;
    private long timersMade;
    private boolean killed;
    private int threads;
    private @Nullable Throwable failure;

    /** Something that is due at a time of the simulated clock. */
    static final class Timer implements Comparable<Timer> {
        private final long atNanos;
        private final long number;
        private final Runnable action;
        private boolean ended;
        private boolean fired;

        private Timer(long atNanos, long number, Runnable action) {
            this.atNanos = atNanos;
            this.number = number;
            this.action = action;
        }

        void cancel() {
            ended = true;
        }

        boolean fired() {
            return fired;
        }

        @Override
        public int compareTo(Timer other) {
            return atNanos != other.atNanos ? Long.compare(atNanos, other.atNanos) : Long.compare(number, other.number);
        }
    }

    Scheduler(Random random, long nanos) {
        this.random = random;
        this.nanos = nanos;
    }

    static Scheduler current() {
        Scheduler now = current;
        if (now == null) {
            throw new IllegalStateException("no simulated process runs");
        }
        return now;
    }

    private static MethodHandle newThread() {
        try {
            Class<?> builders = Class.forName("java.lang.ThreadBuilders");
            var method = builders.getDeclaredMethod(
                    "newVirtualThread", Executor.class, String.class, int.class, Runnable.class);
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** A thread of this process, not started. */
    Thread thread(Runnable task) {
        try {
            return (Thread) NEW_THREAD.invokeExact((Executor) this, "simulated-" + threads++, 0, (Runnable) () -> {
                try {
                    task.run();
                } catch (Throwable e) {
                    failure = failure == null ? e : failure;
                }
            });
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void execute(Runnable continuation) {
        ready.add(continuation);
    }

    long nanos() {
        return nanos++;
    }

    /** Time passes. */
    void pass(long duration) {
        nanos += duration;
    }

    Timer timer(long delayNanos, Runnable action) {
        var timer = new Timer(nanos + Math.max(0, delayNanos), timersMade++, action);
        timers.add(timer);
        return timer;
    }

    /** Chooses with the process's own seed. */
    int choose(int bound) {
        return random.nextInt(bound);
    }

    long chooseLong() {
        return random.nextLong();
    }

    /** The calling thread, and every other one, runs no more. */
    void kill() {
        killed = true;
        while (true) {
            java.util.concurrent.locks.LockSupport.park();
        }
    }

    /**
     * Runs the task and every thread that it starts until the task has ended or the process was killed.
     *
     * @return whether the task has ended
     * @throws AssertionError nobody can run and nothing is due, or a thread ended with an exception
     */
    boolean run(Runnable task) {
        Scheduler before = current;
        current = this;
        try {
            Thread main = thread(task);
            main.start();
            while (main.isAlive() && !killed && failure == null) {
                step();
            }
            Throwable failed = failure;
            if (failed instanceof Error error) {
                throw error;
            } else if (failed != null) {
                throw new AssertionError("a thread of the store ended", failed);
            }
            return !killed;
        } finally {
            current = before;
        }
    }

    private void step() {
        if (ready.isEmpty()) {
            Timer due = timers.poll();
            if (due == null) {
                throw new AssertionError("every thread waits and nothing is due");
            }
            if (!due.ended) {
                nanos = Math.max(nanos, due.atNanos);
                due.fired = true;
                due.action.run();
            }
            return;
        }
        int chosen = ready.size() == 1 ? 0 : random.nextInt(ready.size());
        Runnable next = ready.get(chosen);
        Runnable last = ready.removeLast();
        if (chosen < ready.size()) {
            ready.set(chosen, last);
        }
        next.run();
        fireDue();
    }

    private void fireDue() {
        Timer next = timers.peek();
        while (next != null && (next.ended || next.atNanos <= nanos)) {
            timers.poll();
            if (!next.ended) {
                next.fired = true;
                next.action.run();
            }
            next = timers.peek();
        }
    }
}
