// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.sync;

import io.keptlog.domain.StoreObserver;
import io.keptlog.domain.StoreObserver.SyncReason;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the threads that sync, a bounded number, started when needed. They are never handed out, so nobody can interrupt them.
 * <p>Syncs that somebody waits for have threads of their own: a fast topic that nobody waits for cannot hold up an acknowledgement
 * (RocketMQ #1244). The queues hold each owner at most once each.
 * <p>Waiting and asking never block on a sync. Times in nanoseconds unless the name says otherwise.
 */
public final class SyncPool implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SyncPool.class);
    private static final long IDLE_SECONDS = 30;
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long WARN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final ThreadPoolExecutor urgent;
    private final ThreadPoolExecutor background;
    private final long slowNanos;
    private final StoreObserver observer;

    private final AtomicLong lastWarnNanos = new AtomicLong(System.nanoTime() - WARN_EVERY_NANOS);
    private final AtomicLong slowNotWarned = new AtomicLong();

    /**
     * @param threadsMax for syncs that somebody waits for; half as many more for those in the background
     * @param threadFactory makes platform threads
     * @param slowMillis a longer sync is warned about, at most once in ten seconds
     */
    public SyncPool(int threadsMax, ThreadFactory threadFactory, int slowMillis, StoreObserver observer) {
        if (threadsMax < 2) {
            throw new IllegalArgumentException("sync threads " + threadsMax);
        }
        this.urgent = threads(threadsMax, threadFactory);
        this.background = threads(threadsMax / 2, threadFactory);
        this.slowNanos = TimeUnit.MILLISECONDS.toNanos(slowMillis);
        this.observer = observer;
    }

    /** The queue needs no limit: each owner is in it at most once. */
    private static ThreadPoolExecutor threads(int max, ThreadFactory factory) {
        var executor = new ThreadPoolExecutor(
                max, max, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory, SyncPool::afterClose);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Logs are drained and closed before their pool: whoever still waits is told at its deadline that the outcome is not known. */
    private static void afterClose(Runnable task, ThreadPoolExecutor closed) {
        LOG.debug("A sync was asked for after the store was closed");
    }

    /** Has the owner run once. The owner makes sure that it is in each queue at most once. */
    void submit(SyncOwner owner, boolean isUrgent) {
        (isUrgent ? urgent : background).execute(() -> owner.run(isUrgent));
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
        urgent.shutdown();
        background.shutdown();
        boolean interrupted = false;
        long end = System.nanoTime() + CLOSE_NANOS;
        while (!(urgent.isTerminated() && background.isTerminated()) && System.nanoTime() < end) {
            try {
                boolean ended = urgent.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS)
                        && background.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                LOG.debug("Syncs have ended: {}", ended);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        int running = urgent.getActiveCount() + background.getActiveCount();
        if (running > 0) {
            LOG.warn("{} syncs still run: the disk does not answer", running);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
