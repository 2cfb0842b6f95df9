// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.cold;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Owns the threads on which pages of mapped files are read from the disk. A page fault holds the thread that meets it, and a virtual
 * thread holds its carrier then: with as few carriers as there are cores, a handful of readers of old messages would hold everybody up
 * for seconds. So a virtual thread asks here first, and waits as it waits for anything else.
 * <p>Any thread may ask. A crash leaves nothing of it. Lengths in bytes.
 */
public final class ColdReads implements AutoCloseable {
    private static final long IDLE_SECONDS = 30;

    private final ThreadPoolExecutor executor;
    private final long waitMillis;

    /**
     * @param threads makes platform threads
     */
    public ColdReads(ThreadFactory threads) {
        this(threads, Limits.COLD_READ_THREADS, Limits.COLD_READS_WAITING_MAX, Limits.COLD_READ_MAX_MILLIS);
    }

    ColdReads(ThreadFactory threads, int threadsMax, int waitingMax, long waitMillis) {
        this.waitMillis = waitMillis;
        executor = new ThreadPoolExecutor(
                threadsMax, threadsMax, IDLE_SECONDS, TimeUnit.SECONDS, new ArrayBlockingQueue<>(waitingMax), threads);
        executor.allowCoreThreadTimeOut(true);
    }

    /** Memory that goes away: held while it is read, by as many as read it. */
    public interface Held {
        /** Called by who holds it already. */
        void hold();

        void release();
    }

    /** Whether reading it needs no disk, as far as can be told; always so for memory that is no mapped file. */
    public static boolean inMemory(MemorySegment part) {
        return !part.isMapped() || part.isLoaded();
    }

    /**
     * Returns when the bytes are in memory, or could be: the system may take them away again.
     *
     * @param part is readable until the holder releases it
     * @throws IOException the disk refused to read them
     * @throws KeptlogException TRANSIENT_NOT_ACCEPTED: too many wait for the disk, or it does not answer
     */
    public void load(MemorySegment part, Held holder) throws IOException {
        Loading loading = new Loading(part, holder);
        holder.hold();
        try {
            executor.execute(loading);
        } catch (RejectedExecutionException e) {
            holder.release();
            throw busy();
        }
        loading.await(waitMillis);
    }

    private static KeptlogException busy() {
        return KeptlogException.retryable(
                ErrorCode.TRANSIENT_NOT_ACCEPTED, "The disk does not read old messages fast enough.", 1);
    }

    /** Lets what has begun end; it holds what it reads. */
    @Override
    public void close() {
        executor.shutdown();
    }

    private static final class Loading implements Runnable {
        private final MemorySegment part;
        private final Held holder;
        private final CountDownLatch done = new CountDownLatch(1);
        private volatile @Nullable Throwable failure;

        Loading(MemorySegment part, Held holder) {
            this.part = part;
            this.holder = holder;
        }

        @Override
        public void run() {
            try {
                part.load();
            } catch (Throwable e) {
                // InternalError is how a failed disk read of a mapping shows.
                failure = e;
            } finally {
                holder.release();
                done.countDown();
            }
        }

        /** An interrupt ends nothing and stays set. */
        void await(long millis) throws IOException {
            boolean interrupted = false;
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            try {
                while (true) {
                    try {
                        if (!done.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                            throw busy();
                        }
                        break;
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            Throwable why = failure;
            if (why != null) {
                throw new IOException("the disk refused to read", why);
            }
        }
    }
}
