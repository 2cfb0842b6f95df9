// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.LedgerView;
import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.metadata.Broker;
import io.keptlog.cluster.peer.PeerCalls;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.cluster.KeptDepth;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Slice;
import io.keptlog.storage.Appended;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.PartitionLog;
import io.keptlog.storage.SealedSegment;
import io.keptlog.storage.SyncTarget;
import io.keptlog.storage.TailWatch;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A partition of the cluster as any broker sees it: each call is made where the partition is, here or at its owner, at most one hop away. While
 * ownership moves, what was certainly not done is tried again until the deadline. Thread-safe.
 */
final class RoutedLog implements PartitionLog, SyncTarget {
    private static final int PAUSE_MILLIS = 50;
    /** Receipts that wait to be asked for; each is asked for right after its append. */
    private static final int EVIDENCE_MAX = 4096;

    private final PartitionSpec spec;
    private final Ownership ownership;
    private final PeerCalls peers;
    private final Map<Long, Evidence> evidence = new ConcurrentHashMap<>();
    private final AtomicLong persistedEnd = new AtomicLong();
    private final RoutedTail routedTail = new RoutedTail(this::endBeyond);

    RoutedLog(PartitionSpec spec, Ownership ownership, PeerCalls peers) {
        this.spec = spec;
        this.ownership = ownership;
        this.peers = peers;
    }

    @Override
    public PartitionSpec spec() {
        return spec;
    }

    /** Calls the owner until one is found that takes the call, or the deadline passes. */
    <T> T route(Deadline deadline, Function<Ownership, T> here, Function<String, T> there) {
        while (true) {
            try {
                Broker owner = ownership.whoHas(spec);
                return owner == null ? local(here) : there.apply(owner.peerAddress());
            } catch (KeptlogException e) {
                if (e.code() != ErrorCode.PRODUCE_TIMEOUT && !ownership.exists(spec)) {
                    throw new KeptlogException(
                            ErrorCode.PARTITION_NOT_FOUND, "Partition " + spec.ref() + " is deleted.", "partition_id");
                }
                if (e.code() != ErrorCode.NOT_PRIMARY || deadline.passed()) {
                    throw e;
                }
                ownership.forgetOwner(spec);
                pause(deadline, e);
            }
        }
    }

    private <T> T local(Function<Ownership, T> here) {
        try {
            return here.apply(ownership);
        } catch (KeptlogException e) {
            throw ownership.current(e);
        }
    }

    private static void pause(Deadline deadline, KeptlogException last) {
        try {
            Thread.sleep(Math.min(PAUSE_MILLIS, Math.max(1, deadline.remainingNanos() / 1_000_000)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw last;
        }
    }

    private static Deadline readDeadline() {
        return Deadline.inMillis(Limits.LEDGER_READ_MAX_MILLIS);
    }

    @Override
    public Appended append(MessageBatch batch, Deadline deadline) {
        return route(deadline, o -> o.here(spec).log().append(batch, deadline), address -> {
            PeerCalls.Stored stored = peers.append(address, spec, batch, deadline);
            persistedEnd.accumulateAndGet(stored.persistedEnd(), Math::max);
            if (evidence.size() >= EVIDENCE_MAX) {
                evidence.clear();
            }
            evidence.put(stored.appended().endOffset(), stored.evidence());
            return stored.appended();
        });
    }

    @Override
    public SyncTarget tail() {
        return this;
    }

    @Override
    public Evidence awaitReplicated(long end, Deadline deadline) {
        Evidence known = evidence.remove(end);
        if (known != null) {
            return known;
        }
        try {
            return route(
                    deadline,
                    o -> o.here(spec).log().tail().awaitReplicated(end, deadline),
                    address -> peers.evidence(address, spec, end, deadline));
        } catch (KeptlogException e) {
            throw SyncCheck.afterAppend(e);
        }
    }

    @Override
    public Evidence awaitPersisted(long end, Deadline deadline) {
        return SyncCheck.requirePersisted(awaitReplicated(end, deadline));
    }

    @Override
    public void kick() {}

    /** Asked for after a write as well, when nothing may fail any more: what is known here. */
    @Override
    public long persistedEnd() {
        Owned held = ownership.held(spec);
        return held == null
                ? persistedEnd.get()
                : persistedEnd.accumulateAndGet(held.log().tail().persistedEnd(), Math::max);
    }

    @Override
    public Slice read(long fromOffset, int maxMessages, long maxBytes, Visibility visibility) {
        var deadline = readDeadline();
        return route(
                deadline,
                o -> o.current(o.readable(spec).log().read(fromOffset, maxMessages, maxBytes, visibility)),
                address -> peers.read(address, spec, fromOffset, maxMessages, maxBytes, deadline));
    }

    @Override
    public long offsetAt(long timestampMicros, Visibility visibility) {
        var deadline = readDeadline();
        return route(
                deadline,
                o -> o.current(o.readable(spec).log().offsetAt(timestampMicros, visibility)),
                address -> peers.offsetAt(address, spec, timestampMicros, deadline));
    }

    @Override
    public TailWatch watch(Visibility visibility) {
        return routedTail.watch();
    }

    private long endBeyond(long known, Deadline deadline) {
        return route(
                deadline,
                o -> {
                    PartitionLog log = o.readable(spec).log();
                    return o.current(
                            log.watch(Visibility.TOPIC).awaitBeyond(known, log.tail()::persistedEnd, deadline));
                },
                address -> peers.endBeyond(address, spec, known, deadline));
    }

    @Override
    public LogStatus status() {
        var deadline = readDeadline();
        return route(
                deadline,
                o -> o.current(o.readable(spec).log().status()),
                address -> peers.status(address, spec, deadline));
    }

    @Override
    public List<SealedSegment> sealedSegments() {
        var deadline = readDeadline();
        return route(
                deadline,
                o -> o.current(o.readable(spec).log().sealedSegments()),
                address -> peers.sealed(address, spec, deadline));
    }

    @Override
    public List<SealedSegment> deleteSegments(long endOffset, Gap.Reason reason) {
        var deadline = readDeadline();
        return route(
                deadline,
                o -> o.here(spec).log().deleteSegments(endOffset, reason),
                address -> peers.deleteSegments(address, spec, endOffset, reason, deadline));
    }

    /** What the owner has seen of the copies. */
    KeptDepth keptDepth(Function<PartitionSpec, KeptDepth> here, Deadline deadline) {
        return route(
                deadline,
                o -> here.apply(o.readable(spec).spec()),
                address -> peers.keptDepth(address, spec, deadline));
    }

    /** As the owner knows them; of a partition that cannot be opened, as the metadata store describes them. */
    List<LedgerView> ledgers() {
        var deadline = readDeadline();
        try {
            return route(
                    deadline,
                    o -> o.ledgers(spec.ref(), spec.incarnation()),
                    address -> peers.ledgers(address, spec, deadline));
        } catch (KeptlogException e) {
            if (e.code() != ErrorCode.PARTITION_DAMAGED && e.code() != ErrorCode.QUORUM_UNAVAILABLE) {
                throw e;
            }
            return ownership.storedLedgers(spec);
        }
    }
}
