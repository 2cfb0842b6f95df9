// SPDX-License-Identifier: Apache-2.0
package io.keptlog.config;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.PartitionRef;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * The graceful stop of the store (requirements A11), after the web server has let its requests end: background work stops, every log is
 * synced, the journals are closed, and only when all of that worked is the store marked clean. Killed half-way, it is a crash of the
 * process: nothing acknowledged is lost.
 */
final class StoreLifecycle implements SmartLifecycle {
    private static final Logger LOG = LoggerFactory.getLogger(StoreLifecycle.class);
    /** What remains of the whole stop after the requests' share (spring.lifecycle.timeout-per-shutdown-phase). */
    static final long DRAIN_MILLIS = 3_000;

    private final List<AutoCloseable> background;
    private final PartitionLogs logs;
    private final OffsetStore offsets;
    private final Catalog catalog;
    private final StopOutcome outcome;
    private volatile boolean running;

    StoreLifecycle(
            List<AutoCloseable> background,
            PartitionLogs logs,
            OffsetStore offsets,
            Catalog catalog,
            StopOutcome outcome) {
        this.background = background;
        this.logs = logs;
        this.offsets = offsets;
        this.catalog = catalog;
        this.outcome = outcome;
    }

    /** The store was opened when it was made. */
    @Override
    public void start() {
        running = true;
    }

    /** Below the web server's phases: starts before it, stops after it. */
    @Override
    public int getPhase() {
        return 0;
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public void stop() {
        running = false;
        long start = System.nanoTime();
        background.forEach(this::close);
        List<PartitionRef> unsynced = logs.drain(Deadline.inMillis(DRAIN_MILLIS));
        if (!unsynced.isEmpty()) {
            outcome.failed();
            LOG.error("the final sync failed for {} partitions, among them {}", unsynced.size(), unsynced.getFirst());
        }
        close(offsets);
        close(catalog);
        if (!offsets.faults().isEmpty() || !catalog.faults().isEmpty()) {
            outcome.failed();
            LOG.error("a journal could not be synced or was damaged: {} {}", offsets.faults(), catalog.faults());
        }
        if (outcome.isFailed()) {
            logs.withholdCleanMark();
        }
        close(logs);
        LOG.info(
                "store stopped {} after {} ms",
                outcome.isFailed() ? "with what could be synced" : "clean",
                (System.nanoTime() - start) / 1_000_000);
    }

    /** One part that does not close must not keep the others from being synced. */
    private void close(AutoCloseable part) {
        try {
            part.close();
        } catch (Exception e) {
            outcome.failed();
            LOG.error("{} could not be closed", part.getClass().getSimpleName(), e);
        }
    }
}
