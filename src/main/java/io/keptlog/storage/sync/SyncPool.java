// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.StoreObserver.SyncReason;
import java.util.ArrayDeque;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the threads that sync, a bounded number, started when needed. They are never handed out, so nobody can interrupt them. One sync at
 * a time, of all owners together, may run on its caller's thread instead.
 * <p>Syncs that somebody waits for go first, and background syncs take at most half of the threads: a fast topic that nobody waits for
 * cannot hold up an acknowledgement (RocketMQ #1244). The queues hold each owner at most once each.
 * <p>Waiting and asking never block on a sync. Times in nanoseconds unless the name says otherwise.
 */
public final class SyncPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SyncPool.class);
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long WARN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int threadsMax;
    private final int backgroundMax;
    private final ThreadFactory threadFactory;
    private final long slowNanos;
    private final StoreObserver observer;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition threadEnded = lock.newCondition();
    private final ArrayDeque<SyncOwner> urgent = new ArrayDeque<>();
    private final ArrayDeque<SyncOwner> background = new ArrayDeque<>();
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private int threads;
    private int runningInBackground;
    private boolean closed;
    private boolean oneOnCaller;

    private final AtomicLong lastWarnNanos = new AtomicLong(System.nanoTime() - WARN_EVERY_NANOS);
    private final AtomicLong slowNotWarned = new AtomicLong();

    /**
     * @param threadFactory makes platform threads
     * @param slowMillis a longer sync is warned about, at most once in ten seconds
     */
    public SyncPool(int threadsMax, ThreadFactory threadFactory, int slowMillis, StoreObserver observer) {
        if (threadsMax < 2) {
            throw new IllegalArgumentException("sync threads " + threadsMax);
        }
        this.threadsMax = threadsMax;
        this.backgroundMax = threadsMax / 2;
        this.threadFactory = threadFactory;
        this.slowNanos = TimeUnit.MILLISECONDS.toNanos(slowMillis);
        this.observer = observer;
    }

    /** Has the owner run once. The owner makes sure that it is in each queue at most once. */
    void submit(SyncOwner owner, boolean isUrgent) {
        Worker woken = null;
        lock.lock();
        try {
            if (!isUrgent && runningInBackground >= backgroundMax) {
                background.add(owner);
                return;
            }
            woken = idle.pollLast();
            if (woken == null && threads >= threadsMax) {
                (isUrgent ? urgent : background).add(owner);
                return;
            }
            if (!isUrgent) {
                runningInBackground++;
            }
            if (woken == null) {
                threads++;
                startWorker(new Task(owner, isUrgent));
                return;
            }
            woken.assigned = new Task(owner, isUrgent);
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(woken.thread);
    }

    /** @return whether a caller may sync on its own thread; it then calls {@link #endedOnCaller} when it has */
    boolean beginsOnCaller() {
        lock.lock();
        try {
            boolean free = !closed && !oneOnCaller;
            oneOnCaller |= free;
            return free;
        } finally {
            lock.unlock();
        }
    }

    void endedOnCaller() {
        lock.lock();
        try {
            oneOnCaller = false;
            threadEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void startWorker(Task first) {
        Worker worker = new Worker(first);
        Thread thread = threadFactory.newThread(worker);
        worker.thread = thread;
        thread.start();
    }

    /** The next task for a worker that has done one, or null when it shall end. */
    private @Nullable Task next(Worker worker, Task done) {
        lock.lock();
        try {
            if (!done.urgent) {
                runningInBackground--;
            }
            Task task = poll();
            if (task != null) {
                return task;
            }
            if (closed) {
                return null;
            }
            idle.addLast(worker);
        } finally {
            lock.unlock();
        }
        return waitForTask(worker);
    }

    private @Nullable Task poll() {
        SyncOwner owner = urgent.poll();
        if (owner != null) {
            return new Task(owner, true);
        }
        if (runningInBackground < backgroundMax) {
            owner = background.poll();
            if (owner != null) {
                runningInBackground++;
                return new Task(owner, false);
            }
        }
        return null;
    }

    private @Nullable Task waitForTask(Worker worker) {
        long end = System.nanoTime() + IDLE_NANOS;
        while (true) {
            Task task = worker.assigned;
            if (task != null) {
                worker.assigned = null;
                return task;
            }
            if (worker.ended) {
                return null;
            }
            long left = end - System.nanoTime();
            if (left > 0) {
                LockSupport.parkNanos(this, left);
                continue;
            }
            lock.lock();
            try {
                if (idle.remove(worker)) {
                    return null;
                }
                // Somebody took it out of the idle ones and is about to unpark it: its task is there.
            } finally {
                lock.unlock();
            }
        }
    }

    private void ended() {
        lock.lock();
        try {
            threads--;
            threadEnded.signalAll();
        } finally {
            lock.unlock();
        }
    }

    void synced(String component, SyncReason reason, long nanos, int released, boolean failed) {
        observer.synced(reason, nanos, released, failed);
        if (nanos < slowNanos) {
            return;
        }
        long now = System.nanoTime();
        long last = lastWarnNanos.get();
        if (now - last < WARN_EVERY_NANOS || !lastWarnNanos.compareAndSet(last, now)) {
            slowNotWarned.incrementAndGet();
            return;
        }
        LOG.warn(
                "Slow sync: {} took {} ms ({}); {} other slow syncs since the last warning",
                component,
                TimeUnit.NANOSECONDS.toMillis(nanos),
                reason,
                slowNotWarned.getAndSet(0));
    }

    void fenced(String component, Throwable cause) {
        LOG.error("{} takes no more writes until a restart has verified it: a write or sync failed", component, cause);
        observer.fenced(component);
    }

    /**
     * Lets the threads end when the queues are empty, and waits for them: after this, no sync writes anything any more. Gives up on a
     * disk that does not answer.
     */
    @Override
    public void close() {
        boolean interrupted = false;
        lock.lock();
        try {
            closed = true;
            for (Worker worker : idle) {
                worker.ended = true;
                LockSupport.unpark(worker.thread);
            }
            idle.clear();
            long left = CLOSE_NANOS;
            while ((threads > 0 || oneOnCaller) && left > 0) {
                try {
                    left = threadEnded.awaitNanos(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            int running = threads + (oneOnCaller ? 1 : 0);
            if (running > 0) {
                LOG.warn("{} syncs still run: the disk does not answer", running);
            }
        } finally {
            lock.unlock();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private record Task(SyncOwner owner, boolean urgent) {}

    private final class Worker implements Runnable {
        private final Task first;
        private @Nullable Thread thread;
        private volatile @Nullable Task assigned;
        private volatile boolean ended;

        Worker(Task first) {
            this.first = first;
        }

        @Override
        public void run() {
            try {
                for (Task task = first; task != null; task = next(this, task)) {
                    task.owner.run(task.urgent);
                }
            } finally {
                ended();
            }
        }
    }
}
