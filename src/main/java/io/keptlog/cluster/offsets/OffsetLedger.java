// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster.offsets;

import io.keptlog.cluster.client.LedgerClient;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.client.Waits;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.storage.OffsetStore.ConsumerOffset;
import io.keptlog.storage.SyncTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.bookkeeper.client.api.WriteHandle;
import org.apache.bookkeeper.net.BookieId;
import org.jspecify.annotations.Nullable;

/**
 * The consumer offsets of one life of a partition, in the hands of its owner: a map in memory and one ledger that holds a snapshot and
 * what came after. Each opening and each roll writes the snapshot to a new ledger, switches the pointer in the metadata store by
 * compare-and-set and deletes the old ledger: a former owner's ledger is fenced before it is read. No ledger is made before the first
 * write. Thread-safe. After a failed write everything unanswered is unknown and {@link #broken} says that a new opening is needed.
 */
public final class OffsetLedger implements SyncTarget, AutoCloseable {
    /** A ledger with so many entries is followed by a fresh one: bounds what an opening reads. */
    private static final int ENTRIES_MAX = 20_000;

    private static final int OPEN_WAIT_MILLIS = 20_000;

    private final LedgerClient client;
    private final OffsetPointer pointer;
    private final QuorumPolicy policy;
    private final SyncCheck syncCheck;
    private final AtomicLong numbers;
    private final long firstNumber;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private final Map<ConsumerKey, Long> offsets;
    private @Nullable WriteHandle ledger;
    private OffsetPointer.@Nullable Target target;
    private long confirmed;
    private long newest;
    private long entries;
    private boolean broken;
    private long lastEntryId = -1;

    /**
     * Fences, reads, and begins a new ledger when there was one.
     *
     * @param syncCheck says of which bookies it is known that an answer means stable storage
     * @param numbers gives every write of this broker a number of its own
     */
    public OffsetLedger(
            LedgerClient client, OffsetPointer pointer, QuorumPolicy policy, SyncCheck syncCheck, AtomicLong numbers) {
        this.client = client;
        this.pointer = pointer;
        this.policy = policy;
        this.syncCheck = syncCheck;
        this.numbers = numbers;
        this.firstNumber = numbers.incrementAndGet();
        this.confirmed = firstNumber;
        this.newest = firstNumber;
        this.offsets = new HashMap<>();
        OffsetPointer.Target former = pointer.read();
        if (former != null) {
            OffsetRecovery.read(client, former.ledgerId(), Deadline.inMillis(OPEN_WAIT_MILLIS), offsets);
            begin(former);
        }
    }

    /** Called with the lock held, or from the constructor. */
    private void begin(OffsetPointer.@Nullable Target former) {
        var deadline = Deadline.inMillis(OPEN_WAIT_MILLIS);
        WriteHandle fresh;
        try {
            fresh = Waits.result(client.createLedger(policy, pointer.labels()), deadline);
            Waits.result(fresh.appendAsync(OffsetRecord.snapshot(offsets)), deadline);
        } catch (ExecutionException | TimeoutException e) {
            throw OffsetRecovery.unavailable("No ledger can be made for consumer offsets", e);
        }
        OffsetPointer.Target moved = pointer.move(former, fresh.getId());
        if (moved == null) {
            var ignored = client.deleteLedger(fresh.getId());
            throw KeptlogException.retryable(
                    ErrorCode.NOT_PRIMARY, "Another broker has taken the consumer offsets over.", 1);
        }
        target = moved;
        ledger = fresh;
        // The snapshot is on its quorum, with every write before it, answered or not.
        confirmed = newest;
        entries = 1;
        lastEntryId = 0;
        if (former != null) {
            // Lost on a crash here: a small ledger that nobody points to.
            var ignored = client.deleteLedger(former.ledgerId());
        }
    }

    public OptionalLong get(ConsumerKey consumer) {
        lock.lock();
        try {
            Long offset = offsets.get(consumer);
            return offset == null ? OptionalLong.empty() : OptionalLong.of(offset);
        } finally {
            lock.unlock();
        }
    }

    public List<ConsumerOffset> list() {
        lock.lock();
        try {
            return offsets.entrySet().stream()
                    .map(e -> new ConsumerOffset(e.getKey(), e.getValue()))
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param deadline of who asked: after it nobody counts on the write, and others may have been made meanwhile
     * @return the write's number, to wait for
     * @throws KeptlogException TRANSIENT_NOT_ACCEPTED: too late, nothing was done
     */
    public long store(ConsumerKey consumer, long offset, Deadline deadline) {
        lock.lock();
        try {
            requireTime(deadline);
            long number = append(OffsetRecord.store(consumer, offset));
            offsets.put(consumer, offset);
            return number;
        } finally {
            lock.unlock();
        }
    }

    /**
     * @throws KeptlogException CONSUMER_OFFSET_NOT_FOUND, or TRANSIENT_NOT_ACCEPTED as {@link #store}
     */
    public long delete(ConsumerKey consumer, Deadline deadline) {
        lock.lock();
        try {
            requireTime(deadline);
            if (!offsets.containsKey(consumer)) {
                throw new KeptlogException(
                        ErrorCode.CONSUMER_OFFSET_NOT_FOUND, "This consumer has no offset stored here.", "consumer_id");
            }
            long number = append(OffsetRecord.delete(consumer));
            offsets.remove(consumer);
            return number;
        } finally {
            lock.unlock();
        }
    }

    private static void requireTime(Deadline deadline) {
        if (deadline.passed()) {
            throw KeptlogException.retryable(
                    ErrorCode.TRANSIENT_NOT_ACCEPTED, "The time for this write was over before it began.", 1);
        }
    }

    private long append(byte[] record) {
        if (broken) {
            throw KeptlogException.retryable(
                    ErrorCode.QUORUM_UNAVAILABLE, "The consumer offsets recover from a failed write.", 1);
        }
        if (ledger == null) {
            begin(null);
        } else if (entries >= ENTRIES_MAX) {
            begin(target);
        }
        WriteHandle to = java.util.Objects.requireNonNull(ledger);
        long number = numbers.incrementAndGet();
        newest = number;
        entries++;
        var ignored = to.appendAsync(record).whenComplete((entryId, failure) -> answered(to, number, entryId, failure));
        return number;
    }

    /** BookKeeper answers in the order of the appends. */
    private void answered(WriteHandle from, long number, @Nullable Long entryId, @Nullable Throwable failure) {
        lock.lock();
        try {
            if (from != ledger) {
                return;
            }
            if (failure != null || entryId == null) {
                broken = true;
            } else if (!broken) {
                confirmed = Math.max(confirmed, number);
                lastEntryId = entryId;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether only a new opening helps. */
    public boolean broken() {
        lock.lock();
        try {
            return broken;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Evidence awaitReplicated(long end, Deadline deadline) {
        @Nullable WriteHandle written;
        long entryId;
        boolean interrupted = false;
        lock.lock();
        try {
            while (confirmed < end && end >= firstNumber && !broken && !deadline.passed()) {
                try {
                    changed.await(deadline.remainingNanos(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (confirmed < end || end < firstNumber) {
                throw new KeptlogException(
                        ErrorCode.PRODUCE_TIMEOUT, "The ack quorum has not confirmed the consumer offset in time.");
            }
            written = ledger;
            entryId = lastEntryId;
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return written == null ? Evidence.ON_STABLE_STORAGE : evidence(written, entryId);
    }

    private Evidence evidence(WriteHandle written, long entryId) {
        List<String> bookies = written.getLedgerMetadata().getAllEnsembles().lastEntry().getValue().stream()
                .map(BookieId::toString)
                .toList();
        Durability reached = syncCheck.allVerified(bookies) ? Durability.PERSISTED : Durability.REPLICATED;
        return new Evidence(
                reached, Evidence.StoredIn.ACK_QUORUM, policy.ackQuorum(), (Long) written.getId(), (Long) entryId);
    }

    @Override
    public Evidence awaitPersisted(long end, Deadline deadline) {
        return SyncCheck.requirePersisted(awaitReplicated(end, deadline));
    }

    /** Every write is on its way to the journals of its bookies as soon as it is made. */
    @Override
    public void kick() {}

    @Override
    public long persistedEnd() {
        lock.lock();
        try {
            return confirmed;
        } finally {
            lock.unlock();
        }
    }

    /** Refuses further writes; the next owner recovers the ledger. */
    @Override
    public void close() {
        lock.lock();
        try {
            broken = true;
            changed.signalAll();
            if (ledger != null) {
                var ignored = ledger.closeAsync();
            }
        } finally {
            lock.unlock();
        }
    }
}
