// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the two threads that do the work no append waits for: space for frames, checkpoints of idle logs, index files. Never handed out,
 * never interrupted. Takes each log's work in short steps, so that one log's zeros do not hold up another log's space. Holds at most two
 * tasks of each log.
 */
final class SegmentPreparer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentPreparer.class);
    private static final int THREADS = 2;

    private final ScheduledThreadPoolExecutor executor;

    SegmentPreparer(ThreadFactory threads) {
        executor = new ScheduledThreadPoolExecutor(THREADS, threads);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    void execute(Runnable task) {
        later(task, 0);
    }

    /** The task reports its own failures; what escapes it is a bug and is logged. */
    void later(Runnable task, long delayNanos) {
        try {
            var unused = executor.schedule(
                    () -> {
                        try {
                            task.run();
                        } catch (RuntimeException | Error e) {
                            LOG.error("A background task of the segment store failed", e);
                        }
                    },
                    delayNanos,
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.debug("The segment store is closed; a background task was left out", e);
        }
    }

    /** Lets running steps end; those that wait are left out. */
    @Override
    public void close() {
        executor.shutdown();
        boolean interrupted = false;
        while (true) {
            try {
                if (executor.awaitTermination(1, TimeUnit.MINUTES)) {
                    break;
                }
                LOG.warn("A background task of the segment store still runs");
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
