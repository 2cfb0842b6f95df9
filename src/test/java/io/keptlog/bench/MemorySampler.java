// SPDX-License-Identifier: Apache-2.0
package io.keptlog.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.MemoryGroup;
import io.keptlog.system.harness.MemoryGroup.Usage;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Looks again and again at what a memory control group is charged. */
final class MemorySampler implements AutoCloseable {
    private static final long EVERY_MILLIS = 50;
    private static final long MIB = 1 << 20;

    private final MemoryGroup group;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private Usage most = new Usage(0, 0, 0, 0);

    MemorySampler(MemoryGroup group) {
        this.group = group;
        timer.scheduleAtFixedRate(this::look, 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private synchronized void look() {
        Usage now = group.usage();
        if (now.withoutFilePages() > most.withoutFilePages()) {
            most = now;
        }
    }

    /** The worst moment so far, and this one. */
    synchronized String told() {
        Usage now = group.usage();
        return String.format(
                Locale.ROOT,
                "at most %d MiB without pages of files (anonymous %d, kernel %d), now %d and %d MiB of pages, %d of them mapped",
                most.withoutFilePages() / MIB,
                most.anonymous() / MIB,
                most.kernel() / MIB,
                now.withoutFilePages() / MIB,
                now.cache() / MIB,
                now.mappedFiles() / MIB);
    }

    synchronized void requireAtMost(long bytes) {
        assertThat(most.withoutFilePages())
                .as("bytes without pages of files, of %s", most)
                .isPositive()
                .isLessThanOrEqualTo(bytes);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
