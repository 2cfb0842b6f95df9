// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.cluster.client.SyncCheck;
import io.keptlog.cluster.peer.PeerCalls;
import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Fault;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.SyncTarget;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * Consumer offsets of the cluster: kept by each partition's owner beside its log, so that a poll and the offset it starts from are answered
 * by the same broker. A write through another broker returns when the ack quorum has it. Thread-safe.
 */
final class ClusterOffsets implements OffsetStore {
    /** What a forwarded write returns: it is confirmed already. */
    private static final long CONFIRMED = -1;
    /** As {@link #CONFIRMED}, and not all of the bookies are known to sync. */
    private static final long CONFIRMED_UNVERIFIED = -2;

    private final Ownership ownership;
    private final PeerCalls peers;
    private final Duration writeTimeout;

    ClusterOffsets(Ownership ownership, PeerCalls peers, Duration writeTimeout) {
        this.ownership = ownership;
        this.peers = peers;
        this.writeTimeout = writeTimeout;
    }

    private RoutedLog router(PartitionSpec partition) {
        return new RoutedLog(partition, ownership, peers);
    }

    @Override
    public OptionalLong get(PartitionSpec partition, ConsumerKey consumer) {
        var deadline = Deadline.in(writeTimeout);
        return router(partition)
                .route(
                        deadline,
                        o -> o.current(o.readable(partition).offsets().get(consumer)),
                        address -> peers.offset(address, partition, consumer, deadline));
    }

    @Override
    public long store(PartitionSpec partition, ConsumerKey consumer, long offset) {
        var deadline = Deadline.in(writeTimeout);
        return router(partition)
                .route(deadline, o -> o.here(partition).offsets().store(consumer, offset, deadline), address -> {
                    return confirmed(peers.storeOffset(address, partition, consumer, offset, deadline));
                });
    }

    @Override
    public long delete(PartitionSpec partition, ConsumerKey consumer) {
        var deadline = Deadline.in(writeTimeout);
        return router(partition)
                .route(deadline, o -> o.here(partition).offsets().delete(consumer, deadline), address -> {
                    return confirmed(peers.deleteOffset(address, partition, consumer, deadline));
                });
    }

    private static long confirmed(Evidence reached) {
        return reached.durability() == Durability.PERSISTED ? CONFIRMED : CONFIRMED_UNVERIFIED;
    }

    @Override
    public void forget(List<PartitionSpec> partitions, ConsumerKey consumer) {
        for (PartitionSpec partition : partitions) {
            try {
                long number = delete(partition, consumer);
                tail(partition).awaitReplicated(number, Deadline.in(writeTimeout));
            } catch (KeptlogException e) {
                if (e.code() != ErrorCode.CONSUMER_OFFSET_NOT_FOUND) {
                    throw e;
                }
            }
        }
    }

    /** Their ledgers go when the partitions are removed. */
    @Override
    public void forget(List<PartitionSpec> partitions) {}

    @Override
    public List<ConsumerOffset> list(PartitionSpec partition) {
        var deadline = Deadline.in(writeTimeout);
        return router(partition)
                .route(
                        deadline,
                        o -> o.current(o.readable(partition).offsets().list()),
                        address -> peers.offsets(address, partition, deadline));
    }

    /** No recovery of a cluster cuts a partition; whoever asks gets what the interface says. */
    @Override
    public List<ConsumerOffset> clamp(PartitionSpec partition, long firstOffset, long endOffset) {
        List<ConsumerOffset> beyond =
                list(partition).stream().filter(c -> c.offset() >= endOffset).toList();
        for (ConsumerOffset one : beyond) {
            long number = endOffset > firstOffset
                    ? store(partition, one.consumer(), endOffset - 1)
                    : delete(partition, one.consumer());
            tail(partition).awaitPersisted(number, Deadline.in(writeTimeout));
        }
        return beyond;
    }

    @Override
    public SyncTarget tail(PartitionSpec partition) {
        return new Tail(partition);
    }

    /** Waits where the write was made. */
    private final class Tail implements SyncTarget {
        private final PartitionSpec partition;

        Tail(PartitionSpec partition) {
            this.partition = partition;
        }

        @Override
        public Evidence awaitReplicated(long end, Deadline deadline) {
            if (end == CONFIRMED) {
                return Evidence.ON_STABLE_STORAGE;
            }
            if (end == CONFIRMED_UNVERIFIED) {
                return Evidence.IN_PAGE_CACHE;
            }
            try {
                return ownership.here(partition).offsets().awaitReplicated(end, deadline);
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

        @Override
        public long persistedEnd() {
            Owned held = ownership.held(partition);
            return held == null ? 0 : held.offsets().persistedEnd();
        }
    }

    @Override
    public List<Fault> faults() {
        return List.of();
    }

    @Override
    public void close() {}
}
