// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One thread that looks at all logs some times within the flush age, at most every tenth of a second. It only asks for work, so a slow disk
 * does not hold it up; what a look throws is logged and the next look comes.
 */
final class StoreTicker implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StoreTicker.class);

    private final long tickNanos;
    private final LongConsumer look;
    private final Thread thread;
    private volatile boolean closed;

    /** @param look is given the time between two looks, nanoseconds */
    StoreTicker(int flushAgeMillis, ThreadFactory threads, LongConsumer look) {
        this.tickNanos = TimeUnit.MILLISECONDS.toNanos(Math.clamp(flushAgeMillis / 10, 5, 100));
        this.look = look;
        this.thread = threads.newThread(this::run);
    }

    void start() {
        thread.start();
    }

    private void run() {
        while (!closed) {
            try {
                look.accept(tickNanos);
            } catch (RuntimeException e) {
                LOG.error("The flush schedule met an unexpected failure and goes on", e);
            }
            LockSupport.parkNanos(this, tickNanos);
        }
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
