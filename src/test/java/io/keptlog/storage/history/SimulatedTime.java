// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.history;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** What {@link TimeRewriter} puts in the place of the calls that look at the clock, wait for it or throw dice. */
public final class SimulatedTime {
    private static final long LOOK_NANOS = 100_000;

    private SimulatedTime() {}

    /** {@link System#nanoTime}. */
    public static long nanoTime() {
        return Scheduler.current().nanos();
    }

    /** {@link LockSupport#parkNanos(Object, long)}. */
    public static void parkNanos(Object blocker, long nanos) {
        if (nanos <= 0) {
            return;
        }
        Thread self = Thread.currentThread();
        Scheduler.Timer timer = Scheduler.current().timer(nanos, () -> LockSupport.unpark(self));
        LockSupport.park(blocker);
        timer.cancel();
    }

    static void sleepMillis(long millis) {
        long end = nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = end - nanoTime(); left > 0; left = end - nanoTime()) {
            parkNanos(Scheduler.class, left);
        }
    }

    /** {@link Condition#awaitNanos}. */
    @SuppressWarnings("WaitNotInLoop")
    public static long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        long end = nanoTime() + nanos;
        Thread self = Thread.currentThread();
        Scheduler.Timer timer = Scheduler.current().timer(nanos, self::interrupt);
        try {
            condition.await();
        } catch (InterruptedException e) {
            if (!timer.fired()) {
                throw e;
            }
        } finally {
            timer.cancel();
            if (timer.fired()) {
                boolean unused = Thread.interrupted();
            }
        }
        return end - nanoTime();
    }

    /** {@link ReentrantLock#tryLock(long, TimeUnit)}; a lock that is never given back shows as a process in which nobody can run. */
    public static boolean tryLock(ReentrantLock lock, long ignored, TimeUnit unit) {
        lock.lock();
        return true;
    }

    /** {@link Thread#join(Duration)}. */
    public static boolean join(Thread thread, Duration ignored) throws InterruptedException {
        thread.join();
        return true;
    }

    /** {@link ScheduledThreadPoolExecutor#schedule(Runnable, long, TimeUnit)}. */
    public static @Nullable ScheduledFuture<?> schedule(
            ScheduledThreadPoolExecutor executor, Runnable task, long delay, TimeUnit unit) {
        if (delay <= 0) {
            return executor.schedule(task, 0, unit);
        }
        if (executor.isShutdown()) {
            throw new RejectedExecutionException("shut down");
        }
        Scheduler.Timer unused = Scheduler.current().timer(unit.toNanos(delay), () -> start(executor, task));
        return null;
    }

    private static void start(ScheduledThreadPoolExecutor executor, Runnable task) {
        // On a thread of the process: the queue of the executor is behind a lock.
        Scheduler.current()
                .thread(() -> {
                    if (!executor.isShutdown()) {
                        executor.execute(task);
                    }
                })
                .start();
    }

    /** {@link ThreadLocalRandom#nextLong()}. */
    public static long nextLong(ThreadLocalRandom ignored) {
        return Scheduler.current().chooseLong();
    }

    /** {@link ExecutorService#awaitTermination}. */
    public static boolean awaitTermination(ExecutorService executor, long time, TimeUnit unit) {
        while (!executor.isTerminated()) {
            parkNanos(executor, LOOK_NANOS);
        }
        return true;
    }

    /** {@link ThreadPoolExecutor#allowCoreThreadTimeOut}: an idle thread waits for ever, as a real timer would keep a dead process. */
    public static void allowCoreThreadTimeOut(ThreadPoolExecutor ignored, boolean allow) {}

    /** {@link ExecutorService#close}. */
    public static void close(ExecutorService executor) {
        executor.shutdown();
        boolean unused = awaitTermination(executor, 0, TimeUnit.NANOSECONDS);
    }
}
