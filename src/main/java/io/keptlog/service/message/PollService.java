// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.message;

import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Gap;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.PollStart;
import io.keptlog.domain.ServiceObserver;
import io.keptlog.domain.Visibility;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.message.Slice;
import io.keptlog.durability.DurabilityStrategies;
import io.keptlog.service.catalog.Lookup;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLog;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Poll: finds the start, reads, and stores the consumer's offset along the way when asked to. Keeps no state; safe for any number of
 * threads; takes no lock of the append path. The offset of an auto-commit is written in the order of the polls and waited for by
 * nobody: a poll never fails because of it, and proves nothing about it (Iggy durability).
 */
public final class PollService {
    private static final Logger LOG = LoggerFactory.getLogger(PollService.class);

    private final Catalog catalog;
    private final OpenLogs openLogs;
    private final OffsetStore offsets;
    private final DurabilityStrategies strategies;
    private final ServiceObserver observer;
    private final Duration openTimeout;

    /**
     * @param openTimeout how long a poll waits for a partition that is just being made
     */
    public PollService(
            Catalog catalog,
            OpenLogs openLogs,
            OffsetStore offsets,
            DurabilityStrategies strategies,
            ServiceObserver observer,
            Duration openTimeout) {
        this.catalog = catalog;
        this.openLogs = openLogs;
        this.offsets = offsets;
        this.strategies = strategies;
        this.observer = observer;
        this.openTimeout = openTimeout;
    }

    /**
     * @throws KeptlogException NOT_FOUND (stream, topic), PARTITION_NOT_FOUND, INVALID_MESSAGES_COUNT, PARTITION_DAMAGED,
     *     PARTITION_READ_TIMEOUT
     */
    public Polled poll(PollRequest request) {
        if (request.count() < 1) {
            throw new KeptlogException(
                    ErrorCode.INVALID_MESSAGES_COUNT, "A poll asks for at least one message.", "count");
        }
        try {
            return pollOnce(request);
        } catch (KeptlogException e) {
            // The log was deleted or purged since it was looked up: look once more, a successor may have taken its
            // place.
            if (e.code() != ErrorCode.PARTITION_NOT_FOUND) {
                throw e;
            }
            return pollOnce(request);
        }
    }

    /** What a poll's path names at this moment. */
    public record Place(TopicEntry topic, PartitionSpec partition, PartitionLog log) {
        /** The same life, when its log was opened anew. */
        public Place in(PartitionLog now) {
            return new Place(topic, partition, now);
        }
    }

    /**
     * @throws KeptlogException NOT_FOUND (stream, topic), PARTITION_NOT_FOUND, PARTITION_READ_TIMEOUT
     */
    public Place place(PollRequest request) {
        TopicEntry topic = Lookup.topic(catalog.state(), request.stream(), request.topic(), Lookup.Absent.PLAIN);
        PartitionSpec partition = Lookup.partition(topic, request.partitionId());
        PartitionLog log = openLogs.find(partition, Deadline.in(openTimeout), ErrorCode.PARTITION_READ_TIMEOUT);
        if (log == null) {
            throw new KeptlogException(
                    ErrorCode.PARTITION_NOT_FOUND,
                    "Partition " + request.partitionId() + " is not there.",
                    "partition_id");
        }
        return new Place(topic, partition, log);
    }

    private Polled pollOnce(PollRequest request) {
        return poll(request, place(request));
    }

    /** A poll of this life and of no later one. */
    public Polled poll(PollRequest request, Place place) {
        PartitionSpec partition = place.partition();
        PartitionLog log = place.log();
        long wanted = startOffset(request, place);
        Gap cut = cut(request, place, wanted);
        long from = cut == null ? wanted : cut.fromOffset();
        int count = Math.min(request.count(), Limits.POLL_COUNT_MAX);
        Slice slice = log.read(from, count, request.maxBytes(), request.visibility());
        if (request.autoCommit() && slice.count() > 0) {
            commit(place.topic(), partition, request, slice.nextOffset() - 1);
        }
        observer.polled(slice.count());
        return new Polled(
                partition.ref().partitionId(),
                slice,
                Math.max(0, slice.endOffset() - 1),
                cut == null ? gap(request, slice) : cut);
    }

    /**
     * A reader that remembers its epoch, or whose offset is stored here, is not given other messages under numbers that it has seen without
     * being told.
     */
    public @Nullable Gap cut(PollRequest request, Place place, long from) {
        if (request.start().kind() == PollStart.Kind.NEXT) {
            OptionalLong seen = offsets.takenBack(place.partition(), request.consumer());
            if (seen.isPresent() && seen.getAsLong() >= from) {
                return new Gap(from, seen.getAsLong() + 1, Gap.Reason.RECOVERY);
            }
        }
        return request.epoch() == PollRequest.NO_EPOCH || !isNamed(request)
                ? null
                : place.log().cutSince(request.epoch(), from);
    }

    private static boolean isNamed(PollRequest request) {
        PollStart.Kind kind = request.start().kind();
        return kind == PollStart.Kind.OFFSET || kind == PollStart.Kind.NEXT;
    }

    /** Where the poll begins. */
    public long startOffset(PollRequest request, Place place) {
        PartitionLog log = place.log();
        PollStart start = request.start();
        return switch (start.kind()) {
                // No partition ever holds 2^63 messages: such a start is beyond every end.
            case OFFSET -> start.value() < 0 ? Long.MAX_VALUE : start.value();
            case TIMESTAMP -> log.offsetAt(start.value(), request.visibility());
            case FIRST -> log.status().firstOffset();
            case LAST -> last(log.status(), request);
            case NEXT -> {
                OptionalLong stored = offsets.get(place.partition(), request.consumer());
                yield stored.isPresent() ? stored.getAsLong() + 1 : log.status().firstOffset();
            }
        };
    }

    private static long last(LogStatus status, PollRequest request) {
        long end = request.visibility() == Visibility.PERSISTED
                ? Math.min(status.visibleEnd(), status.persistedEnd())
                : status.visibleEnd();
        return Math.max(status.firstOffset(), end - request.count());
    }

    /** Only who names an offset can miss it: a start that the server chose begins at what is there. */
    private @Nullable Gap gap(PollRequest request, Slice slice) {
        return isNamed(request) ? slice.gap() : null;
    }

    private void commit(TopicEntry topic, PartitionSpec partition, PollRequest request, long offset) {
        try {
            offsets.store(partition, request.consumer(), offset);
            strategies.of(topic.options().consumerOffsetDurability()).begin(offsets.tail(partition));
        } catch (KeptlogException e) {
            observer.autoCommitFailed();
            LOG.debug("auto-commit of offset {} in partition {} failed: {}", offset, partition.ref(), e.reason());
        }
    }
}
