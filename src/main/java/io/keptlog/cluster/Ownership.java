// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.LedgerViews;
import io.keptlog.cluster.client.Waits;
import io.keptlog.cluster.ledger.LedgerLog;
import io.keptlog.cluster.ledger.LogOpener;
import io.keptlog.cluster.metadata.Broker;
import io.keptlog.cluster.metadata.Brokers;
import io.keptlog.cluster.metadata.ClusterCatalog;
import io.keptlog.cluster.metadata.PartitionLocks;
import io.keptlog.cluster.offsets.OffsetLedger;
import io.keptlog.cluster.peer.LocalPartitions;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.PartitionLog;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Which partitions are this broker's, and where the others are. Takes a partition by its lock, then opens its log (which fences the
 * former owner), on the first request or when it is this broker's share. Thread-safe. A crash lets the locks go with the session. Throws
 * NOT_PRIMARY when another broker has the partition: nothing was done.
 */
final class Ownership implements LocalPartitions {
    private static final int OPEN_WAIT_MILLIS = 40_000;

    private final ClusterCatalog catalog;
    private final PartitionLocks locks;
    private final Brokers brokers;
    private final Lease lease;
    private final PartitionTaker taker;
    private final LedgerClient client;
    private final Executor executor;
    /** What this broker could not open because it is damaged; forgotten when an opening succeeds. */
    private final Map<PartitionSpec, String> damaged = new ConcurrentHashMap<>();

    private final OwnedPartitions owned = new OwnedPartitions();
    private final KnownOwners elsewhere = new KnownOwners();
    private volatile boolean closed;

    Ownership(
            ClusterCatalog catalog,
            PartitionLocks locks,
            Brokers brokers,
            PartitionTaker taker,
            LedgerClient client,
            Executor executor) {
        this.catalog = catalog;
        this.locks = locks;
        this.brokers = brokers;
        this.lease = new Lease(brokers);
        this.taker = taker;
        this.client = client;
        this.executor = executor;
    }

    static KeptlogException notPrimary() {
        return KeptlogException.retryable(ErrorCode.NOT_PRIMARY, "Another broker has this partition.", 1);
    }

    /** The broker to ask, or null when it is this one. */
    @Nullable
    Broker whoHas(PartitionSpec spec) {
        String name = LogOpener.name(spec);
        if (owned.holds(name)) {
            return null;
        }
        Broker known = elsewhere.find(name);
        if (known != null) {
            return known;
        }
        String ownerId = locks.owner(name);
        if (ownerId == null) {
            Broker candidate = brokers.candidate(name);
            return candidate.id().equals(brokers.self().id()) ? null : candidate;
        }
        if (ownerId.equals(brokers.self().id())) {
            return null;
        }
        Broker owner = brokers.find(ownerId);
        if (owner == null) {
            throw KeptlogException.retryable(
                    ErrorCode.NOT_PRIMARY, "The partition's owner has left; its session is about to end.", 1);
        }
        elsewhere.learnt(name, owner);
        return owner;
    }

    /** What was believed of this partition's owner turned out wrong. */
    void forgetOwner(PartitionSpec spec) {
        elsewhere.forget(LogOpener.name(spec));
    }

    void forgetOwner(String partition) {
        elsewhere.forget(partition);
    }

    /** The partition in this broker's hands; taken when nobody has it. */
    Owned here(PartitionSpec spec) {
        String name = LogOpener.name(spec);
        CompletableFuture<Owned> opening = owned.get(name);
        if (opening == null) {
            opening = open(name, spec);
        }
        try {
            Owned found = Waits.result(opening, Deadline.inMillis(OPEN_WAIT_MILLIS));
            LedgerLog log = found.ledgerLog();
            if (log != null && log.lost()) {
                drop(name, found);
                throw notPrimary();
            }
            if (owned.get(name) != opening) {
                throw notPrimary();
            }
            return found;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof KeptlogException refused) {
                throw refused;
            }
            throw new IllegalStateException("partition " + spec.ref() + " could not be opened", e.getCause());
        } catch (TimeoutException e) {
            throw KeptlogException.retryable(
                    ErrorCode.QUORUM_UNAVAILABLE, "Partition " + spec.ref() + " is being opened.", 1);
        }
    }

    /** What is open here now; does not open and does not wait. */
    @Nullable
    Owned held(PartitionSpec spec) {
        return owned.held(LogOpener.name(spec));
    }

    /** For answers that another owner could contradict. */
    Owned readable(PartitionSpec spec) {
        Owned found = here(spec);
        lease.require();
        return found;
    }

    @Override
    public <T> T current(T answer) {
        return lease.current(answer);
    }

    @Override
    public KeptlogException current(KeptlogException refusal) {
        return lease.current(refusal);
    }

    /** What the metadata store says, whoever owns the partition and whether or not it can be opened. */
    List<LedgerView> storedLedgers(PartitionSpec spec) {
        return LedgerViews.stored(client, LogOpener.name(spec), Deadline.inMillis(Limits.LEDGER_READ_MAX_MILLIS));
    }

    private CompletableFuture<Owned> open(String name, PartitionSpec spec) {
        var mine = new CompletableFuture<Owned>();
        CompletableFuture<Owned> other = owned.putIfAbsent(name, mine);
        if (other != null) {
            return other;
        }
        executor.execute(() -> {
            try {
                mine.complete(take(name, spec));
                damaged.remove(spec);
            } catch (RuntimeException e) {
                if (e instanceof KeptlogException refused && refused.code() == ErrorCode.PARTITION_DAMAGED) {
                    damaged.put(spec, refused.reason());
                }
                owned.remove(name, mine);
                mine.completeExceptionally(e);
            }
        });
        return mine;
    }

    private Owned take(String name, PartitionSpec spec) {
        if (closed || !lease.holds()) {
            throw KeptlogException.retryable(ErrorCode.NOT_PRIMARY, "This broker is not taking partitions now.", 1);
        }
        return taker.take(name, spec);
    }

    /** Gives up what cannot be used any longer; the lock stays with the session, so that a later request opens it again. */
    void drop(String name, Owned lost) {
        owned.leave(name, lost, lost::close, executor);
    }

    /** Hands a partition over: everything in flight is answered before the lock goes. */
    void release(Owned held, Deadline deadline) {
        String name = LogOpener.name(held.spec());
        Runnable last = () -> {
            held.drain(deadline);
            held.close();
            locks.release(name);
        };
        owned.leave(name, held, last, Runnable::run);
    }

    /** The session is over and with it every lock: nothing here may be served any longer. */
    void dropAll() {
        owned.leaveAll(executor);
        elsewhere.forgetAll();
    }

    Collection<Owned> open() {
        return owned.open();
    }

    /** Partitions that could not be opened, with the reason. */
    Map<PartitionSpec, String> damaged() {
        damaged.keySet().removeIf(spec -> !exists(spec));
        return Map.copyOf(damaged);
    }

    boolean holds(PartitionSpec spec) {
        return owned.holds(LogOpener.name(spec));
    }

    PartitionLocks locks() {
        return locks;
    }

    void close() {
        closed = true;
    }

    /** The present life of a partition; asks the metadata store when this broker has not heard of it yet. */
    PartitionSpec spec(PartitionRef ref, long incarnation) {
        PartitionSpec spec = Lives.find(catalog.state(), ref);
        if (spec == null || spec.incarnation() != incarnation) {
            spec = Lives.find(catalog.refresh(), ref);
        }
        if (spec == null || spec.incarnation() != incarnation) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND, "Partition " + ref + " is not there.", "partition_id");
        }
        return spec;
    }

    /** Whether this life of the partition is in the catalog, as far as this broker knows. */
    boolean exists(PartitionSpec spec) {
        PartitionSpec now = Lives.find(catalog.state(), spec.ref());
        return now != null && now.incarnation() == spec.incarnation();
    }

    @Override
    public void catalogChanged() {
        catalog.refresh();
    }

    @Override
    public PartitionLog log(PartitionRef ref, long incarnation) {
        return here(spec(ref, incarnation)).log();
    }

    @Override
    public PartitionLog readableLog(PartitionRef ref, long incarnation) {
        return readable(spec(ref, incarnation)).log();
    }

    @Override
    public OffsetLedger offsets(PartitionRef ref, long incarnation) {
        return readable(spec(ref, incarnation)).offsets();
    }

    @Override
    public List<LedgerView> ledgers(PartitionRef ref, long incarnation) {
        PartitionSpec spec = spec(ref, incarnation);
        LedgerLog log = readable(spec).ledgerLog();
        return log != null ? log.ledgers() : storedLedgers(spec);
    }
}
