// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.Removal;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLogs;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes away what is deleted. A deletion is a durable tombstone in the catalog; one background thread removes the files and offsets of
 * every tombstone it finds there and then records that they are gone. A crash at any point leaves the tombstone, and the next start
 * goes on. What cannot be removed now is tried again. Throws nothing; failures are logged.
 */
public final class Removals implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Removals.class);
    private static final Duration RETRY = Duration.ofSeconds(30);
    private static final Duration CLOSE_WAIT = Duration.ofSeconds(2);

    private final Catalog catalog;
    private final PartitionLogs logs;
    private final OffsetStore offsets;
    private final ThreadFactory threads;
    private final Semaphore wanted = new Semaphore(0);
    private volatile boolean closed;
    private @Nullable Thread worker;

    public Removals(Catalog catalog, PartitionLogs logs, OffsetStore offsets, ThreadFactory threads) {
        this.catalog = catalog;
        this.logs = logs;
        this.offsets = offsets;
        this.threads = threads;
    }

    /** Begins to work, first on what an earlier run of the server left. */
    public synchronized void start() {
        if (worker == null && !closed) {
            worker = threads.newThread(this::work);
            worker.start();
            wake();
        }
    }

    /** Something was deleted. Returns at once. */
    void wake() {
        wanted.release();
    }

    private void work() {
        while (!closed) {
            try {
                if (wanted.tryAcquire(RETRY.toMillis(), TimeUnit.MILLISECONDS)) {
                    wanted.drainPermits();
                }
                if (!closed) {
                    sweep();
                }
            } catch (InterruptedException e) {
                // Only close() ends this thread; the loop looks at its flag.
                LOG.debug("interrupted while waiting for removals");
            } catch (RuntimeException e) {
                LOG.warn("deleted partitions could not be removed, trying again within {}", RETRY, e);
            }
        }
    }

    /** One round over all tombstones. */
    void sweep() {
        List<Removal> pending = List.copyOf(catalog.state().removals());
        if (pending.isEmpty()) {
            return;
        }
        offsets.forget(pending.stream().map(Removals::spec).toList());
        List<Removal> done = logs.remove(pending);
        if (!done.isEmpty()) {
            catalog.change(state -> new CatalogChange.RemovalsDone(done));
        }
        if (done.size() < pending.size()) {
            LOG.warn("{} of {} deleted partitions still have files", pending.size() - done.size(), pending.size());
        }
    }

    /** Only place and life count where offsets are forgotten. */
    private static PartitionSpec spec(Removal removal) {
        return new PartitionSpec(removal.ref(), removal.incarnation(), LogOptions.defaults(Durability.REPLICATED));
    }

    /** Ends after the present round, or after two seconds: the tombstones are durable. */
    @Override
    public synchronized void close() {
        closed = true;
        wake();
        if (worker != null) {
            try {
                if (!worker.join(CLOSE_WAIT)) {
                    LOG.warn("removal of deleted partitions goes on at the next start");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
