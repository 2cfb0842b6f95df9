// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.cluster.metadata.Brokers;
import io.keptlog.cluster.metadata.ClusterCatalog;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogState;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a broker does without being asked, on one thread: renews its lease, takes the partitions that are its share and nobody has, hands over
 * those that are another broker's share, lets each log do its maintenance. Throws nothing; what fails is tried again in the next round.
 */
final class Keeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    private static final int ROUND_MILLIS = 500;
    /** A broker that comes and goes does not move partitions. */
    private static final long STABLE_NANOS = TimeUnit.SECONDS.toNanos(3);
    /** Handed over in one round; each waits for its writes in flight. */
    private static final int HANDOVERS_PER_ROUND = 20;

    private static final int HANDOVER_WAIT_MILLIS = 2_000;
    /** Opened at once in the background: each recovers a ledger and makes one. */
    private static final int OPENINGS_MAX = 16;

    private final ClusterCatalog catalog;
    private final Brokers brokers;
    private final Ownership ownership;
    private final Policies policies;
    private final LedgerClient client;
    private final Executor executor;
    private final Semaphore openings = new Semaphore(OPENINGS_MAX);
    private final Semaphore wake;
    private volatile boolean closed;
    private @Nullable Thread thread;

    /**
     * @param wake a permit begins the next round at once
     */
    Keeper(
            ClusterCatalog catalog,
            Brokers brokers,
            Ownership ownership,
            Policies policies,
            LedgerClient client,
            Executor executor,
            Semaphore wake) {
        this.catalog = catalog;
        this.brokers = brokers;
        this.ownership = ownership;
        this.policies = policies;
        this.client = client;
        this.executor = executor;
        this.wake = wake;
    }

    void start() {
        thread = Thread.ofPlatform().daemon().name("cluster-keeper").start(this::work);
    }

    /** Something changed that the next round should not wait for. */
    void wake() {
        wake.release();
    }

    private void work() {
        while (!closed) {
            try {
                round();
            } catch (KeptlogException e) {
                LOG.warn("cluster round: {}", e.reason());
            } catch (RuntimeException e) {
                LOG.warn("cluster round failed", e);
            }
            try {
                if (wake.tryAcquire(ROUND_MILLIS, TimeUnit.MILLISECONDS)) {
                    wake.drainPermits();
                }
            } catch (InterruptedException e) {
                LOG.debug("interrupted; only close() ends this thread");
            }
        }
    }

    private void round() {
        if (!brokers.keepAlive()) {
            ownership.dropAll();
            brokers.letGo();
            return;
        }
        CatalogState state = catalog.refresh();
        ownership.open().forEach(o -> care(o, state));
        takeShare(state);
    }

    private void care(Owned held, CatalogState state) {
        PartitionSpec now = Lives.find(state, held.spec().ref());
        String name = LogOpener.name(held.spec());
        if (now == null || now.incarnation() != held.spec().incarnation()) {
            ownership.drop(name, held);
            return;
        }
        if (held.maintaining.compareAndSet(false, true)) {
            executor.execute(() -> {
                try {
                    maintain(name, held);
                } catch (KeptlogException e) {
                    LOG.debug("maintenance of partition {}: {}", held.spec().ref(), e.reason());
                } finally {
                    held.maintaining.set(false);
                }
            });
        }
    }

    private void maintain(String name, Owned held) {
        var policy = policies.of(held.spec().ref());
        LedgerLog log = held.ledgerLog();
        if (log == null) {
            if (client.bookies().shortage(policy, Deadline.inMillis(HANDOVER_WAIT_MILLIS)) == null) {
                ownership.drop(name, held);
            }
            return;
        }
        log.maintain(policy);
        if (log.lost()) {
            ownership.drop(name, held);
        }
    }

    private void takeShare(CatalogState state) {
        String self = brokers.self().id();
        int handovers = 0;
        for (var stream : state.streams().values()) {
            for (var topic : stream.topics().values()) {
                for (PartitionSpec spec : topic.specs()) {
                    boolean share = brokers.candidate(LogOpener.name(spec)).id().equals(self);
                    if (share && !ownership.holds(spec)) {
                        openInBackground(spec);
                    } else if (!share
                            && ownership.holds(spec)
                            && brokers.unchangedNanos() > STABLE_NANOS
                            && handovers < HANDOVERS_PER_ROUND
                            && newOwnerCouldWrite(spec)) {
                        handovers++;
                        handOver(spec);
                    }
                }
            }
        }
    }

    /** A new owner needs a new ledger; without the bookies for one, the open ledger here still takes writes and stays. */
    private boolean newOwnerCouldWrite(PartitionSpec spec) {
        return client.bookies().shortage(policies.of(spec.ref()), Deadline.inMillis(HANDOVER_WAIT_MILLIS)) == null;
    }

    private void openInBackground(PartitionSpec spec) {
        if (openings.tryAcquire()) {
            executor.execute(() -> {
                try {
                    ownership.here(spec);
                } catch (KeptlogException e) {
                    // Another broker still has it, or bookies are missing: requests are told, the next round tries
                    // again.
                    LOG.debug("partition {} was not taken: {}", spec.ref(), e.reason());
                } finally {
                    openings.release();
                }
            });
        }
    }

    private void handOver(PartitionSpec spec) {
        for (Owned held : ownership.open()) {
            if (held.spec().equals(spec)) {
                executor.execute(() -> ownership.release(held, Deadline.inMillis(HANDOVER_WAIT_MILLIS)));
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        wake();
        if (thread != null) {
            try {
                thread.join(TimeUnit.SECONDS.toMillis(2));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
