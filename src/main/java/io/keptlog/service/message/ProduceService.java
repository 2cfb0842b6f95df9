// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.Durability;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Evidence;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.ServiceObserver;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.message.MessageBatch;
import io.keptlog.domain.message.Partitioning;
import io.keptlog.durability.DurabilityStrategies;
import io.keptlog.service.catalog.Lookup;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.storage.Appended;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.PartitionLog;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Produce: route, append, wait. Keeps no state; safe for any number of threads; request threads only wait, each below one deadline. What
 * was answered with a receipt is kept as its evidence says. Throws before the append: not stored. After it (SYNC_FAILED,
 * PRODUCE_TIMEOUT): may be stored, and the reason says so.
 */
public final class ProduceService {
    private final Catalog catalog;
    private final OpenLogs openLogs;
    private final Partitioner partitioner;
    private final DurabilityStrategies strategies;
    private final ServiceObserver observer;
    private final Duration writeTimeout;

    public ProduceService(
            Catalog catalog,
            OpenLogs openLogs,
            Partitioner partitioner,
            DurabilityStrategies strategies,
            ServiceObserver observer,
            Duration writeTimeout) {
        this.catalog = catalog;
        this.openLogs = openLogs;
        this.partitioner = partitioner;
        this.strategies = strategies;
        this.observer = observer;
        this.writeTimeout = writeTimeout;
    }

    /**
     * Chooses where a request's messages go. One volatile read.
     *
     * @param wanted what this request asks for, or null for the topic's policy; more than the policy is granted, less is refused
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, PARTITION_NOT_FOUND, BAD_REQUEST
     */
    public Route route(Identifier stream, Identifier topic, Partitioning partitioning, @Nullable Durability wanted) {
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.NAMED);
        Durability policy = entry.options().durability();
        if (wanted != null && wanted.compareTo(policy) < 0) {
            throw new KeptlogException(
                    ErrorCode.BAD_REQUEST,
                    "This topic's durability is " + policy.wireName() + "; a request can ask for more, not for less.",
                    "Keptlog-Durability");
        }
        PartitionSpec partition = Lookup.partition(entry, partitioner.choose(entry, partitioning));
        return new Route(partition, policy, wanted == null ? policy : policy.atLeast(wanted));
    }

    /**
     * Appends a batch and waits until it has reached its level.
     *
     * @param partitioning a partition that takes no writes is passed over when the server chooses
     * @throws KeptlogException those of {@link #route}, {@link #append} and {@link #await}
     */
    public Receipt produce(
            Identifier stream,
            Identifier topic,
            Partitioning partitioning,
            MessageBatch batch,
            @Nullable Durability wanted) {
        Deadline deadline = Deadline.in(writeTimeout);
        return await(appendAnywhere(stream, topic, partitioning, batch, wanted, deadline), deadline);
    }

    /**
     * Appends a batch without waiting for it (ack=none); on a persisted topic its sync is asked for.
     *
     * @throws KeptlogException those of {@link #route} and {@link #append}
     */
    public void dispatch(Identifier stream, Identifier topic, Partitioning partitioning, MessageBatch batch) {
        Pending pending = appendAnywhere(stream, topic, partitioning, batch, null, Deadline.in(writeTimeout));
        begin(pending);
    }

    /** Asks for what the route's level needs, without waiting for it. */
    public void begin(Pending pending) {
        strategies.of(pending.route().level()).begin(pending.tail());
        observer.dispatched(pending.messages(), pending.lengthBytes());
    }

    /** A log that was deleted or purged since it was looked up is looked up once more: its successor may take the batch. */
    private Pending appendAnywhere(
            Identifier stream,
            Identifier topic,
            Partitioning partitioning,
            MessageBatch batch,
            @Nullable Durability wanted,
            Deadline deadline) {
        int fencedLeft = partitioning instanceof Partitioning.Balanced ? partitions(stream, topic) - 1 : 0;
        boolean again = true;
        while (true) {
            try {
                return append(route(stream, topic, partitioning, wanted), batch, deadline);
            } catch (KeptlogException e) {
                if (e.code() == ErrorCode.PARTITION_NOT_FOUND && again) {
                    again = false;
                } else if (e.code() == ErrorCode.PARTITION_FENCED && fencedLeft > 0) {
                    fencedLeft--;
                } else {
                    throw e;
                }
            }
        }
    }

    private int partitions(Identifier stream, Identifier topic) {
        return Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.NAMED)
                .partitions()
                .size();
    }

    /** As the other {@code append}, with a deadline of its own. */
    public Pending append(Route route, MessageBatch batch) {
        return append(route, batch, Deadline.in(writeTimeout));
    }

    /**
     * Appends a batch to the route's partition.
     *
     * @throws KeptlogException not stored: PARTITION_NOT_FOUND (this life of the partition has ended), PARTITION_FENCED, NO_SPACE,
     *     TRANSIENT_NOT_ACCEPTED, SEQUENCE_GAP, PRODUCER_FENCED, SHUTTING_DOWN
     */
    private Pending append(Route route, MessageBatch batch, Deadline deadline) {
        long start = System.nanoTime();
        PartitionLog log = openLogs.find(route.partition(), deadline, ErrorCode.TRANSIENT_NOT_ACCEPTED);
        if (log == null) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND,
                    "Partition " + route.partition().ref().partitionId() + " is not there.",
                    "partition_id");
        }
        Appended appended = log.append(batch, deadline);
        // Of an idempotent producer's batch that was partly stored before, the offsets are those of the rest.
        int added = appended.duplicate() ? 0 : (int) (appended.endOffset() - appended.baseOffset());
        long addedBytes =
                added == batch.count() ? batch.bodyLength() : batch.bodyLength() * (long) added / batch.count();
        return new Pending(route, appended, log.tail(), added, addedBytes, start);
    }

    /** As the other {@code await}, with a deadline of its own. */
    public Receipt await(Pending pending) {
        return await(pending, Deadline.in(writeTimeout));
    }

    /**
     * Waits until everything up to the pending messages has reached the route's level.
     *
     * @throws KeptlogException SYNC_FAILED, PRODUCE_TIMEOUT: the messages may be stored
     */
    private Receipt await(Pending pending, Deadline deadline) {
        Route route = pending.route();
        Evidence evidence = strategies.of(route.level()).await(pending.tail(), pending.endOffset(), deadline);
        observer.produced(
                evidence.durability(),
                pending.messages(),
                pending.lengthBytes(),
                System.nanoTime() - pending.startNanos());
        return new Receipt(
                route.partition().ref(),
                route.policy(),
                pending.baseOffset(),
                pending.endOffset(),
                evidence,
                pending.appended().epoch(),
                pending.tail().persistedEnd(),
                pending.appended().duplicate());
    }
}
