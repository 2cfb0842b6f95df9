// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.segment;

import io.keptlog.storage.segment.scan.FileFrameBytes;
import io.keptlog.storage.segment.scan.FrameBytes;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** How fast the scrub goes, and when it ends. One thread reads, any thread closes. */
final class ScrubPace implements AutoCloseable {
    private static final double NANOS_PER_SECOND = 1e9;

    private final long bytesPerSecond;
    private final CountDownLatch closed = new CountDownLatch(1);
    private long dueNanos = System.nanoTime();

    ScrubPace(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Returns after this time, or when it is closed. */
    void rest(long nanos) {
        boolean interrupted = false;
        long end = System.nanoTime() + nanos;
        while (!isClosed() && end - System.nanoTime() > 0) {
            try {
                boolean unused = closed.await(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void spend(long bytes) {
        long now = System.nanoTime();
        long cost = (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
        dueNanos = Math.max(now, dueNanos) + cost;
        rest(dueNanos - now);
    }

    /** The same bytes up to {@code end}, given out at the pace; an IOException once it is closed. */
    FrameBytes paced(FileFrameBytes bytes, long end) {
        long size = Math.min(end, bytes.sizeBytes());
        return new FrameBytes() {
            private long paid = bytes.bytesRead();

            @Override
            public long sizeBytes() {
                return size;
            }

            @Override
            public MemorySegment view(long position, long lengthBytes) throws IOException {
                if (isClosed()) {
                    throw new IOException("the scrub was ended");
                }
                MemorySegment view = bytes.view(position, Math.min(lengthBytes, Math.max(0, size - position)));
                if (bytes.bytesRead() > paid) {
                    spend(bytes.bytesRead() - paid);
                    paid = bytes.bytesRead();
                }
                return view;
            }

            @Override
            public long dataFrom(long position) throws IOException {
                return bytes.dataFrom(position);
            }
        };
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
