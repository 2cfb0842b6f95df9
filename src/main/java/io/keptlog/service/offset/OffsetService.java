// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.offset;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.Deadline;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.durability.DurabilityStrategies;
import io.keptlog.service.catalog.Lookup;
import io.keptlog.service.catalog.OpenLogs;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.LogStatus;
import io.keptlog.storage.OffsetStore;
import io.keptlog.storage.PartitionLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Consumer offsets: explicit store, get and delete. Keeps no state; safe for any number of threads. A store or delete that returned is
 * kept at the topic's {@code consumer_offset_durability}; persisting an offset does not persist the messages below it. Throws before
 * the write: nothing changed. OFFSET_WRITE_TIMEOUT and SYNC_FAILED: it may be stored.
 */
public final class OffsetService {
    private static final Comparator<OffsetStore.ConsumerOffset> BY_KIND_AND_NUMBER =
            Comparator.<OffsetStore.ConsumerOffset, ConsumerKey.Kind>comparing(
                            c -> c.consumer().kind())
                    .thenComparing(c -> c.consumer().id(), Integer::compareUnsigned);

    private final Catalog catalog;
    private final OpenLogs openLogs;
    private final OffsetStore offsets;
    private final DurabilityStrategies strategies;
    private final Duration writeTimeout;

    public OffsetService(
            Catalog catalog,
            OpenLogs openLogs,
            OffsetStore offsets,
            DurabilityStrategies strategies,
            Duration writeTimeout) {
        this.catalog = catalog;
        this.openLogs = openLogs;
        this.offsets = offsets;
        this.strategies = strategies;
        this.writeTimeout = writeTimeout;
    }

    /**
     * Whose offset, and where.
     *
     * @param consumer a number or a name; for a group the group's own
     * @param partitionId unsigned 32-bit number
     */
    public record Place(
            Identifier stream, Identifier topic, ConsumerKey.Kind kind, Identifier consumer, long partitionId) {}

    /**
     * An offset beside where the partition is.
     *
     * @param currentOffset offset of the newest visible message, 0 when there is none
     */
    public record StoredOffset(int partitionId, long currentOffset, long storedOffset) {}

    /**
     * How far one consumer has come in one partition.
     *
     * @param currentOffset offset of the newest visible message, 0 when there is none
     * @param lag visible messages behind the stored one
     */
    public record Position(ConsumerKey consumer, int partitionId, long storedOffset, long currentOffset, long lag) {}

    /**
     * How far the consumers of a topic have come.
     *
     * @param more whether some were left out: more than Limits.CONSUMERS_LISTED_MAX, or not told in time
     */
    public record Positions(List<Position> positions, boolean more) {}

    /** A place that exists. */
    private record Resolved(TopicEntry topic, PartitionSpec partition, ConsumerKey consumer) {}

    /**
     * @param offset unsigned 64-bit; at most the newest visible message's. An earlier one than stored rewinds
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, PARTITION_NOT_FOUND, group codes, INVALID_OFFSET, OFFSETS_FENCED,
     *     NO_SPACE, TRANSIENT_NOT_ACCEPTED: nothing changed; OFFSET_WRITE_TIMEOUT, SYNC_FAILED: may be stored
     */
    public void store(Place place, long offset) {
        Deadline deadline = Deadline.in(writeTimeout);
        Resolved at = resolve(place, Lookup.Absent.NAMED);
        LogStatus status = status(at.partition(), deadline, ErrorCode.TRANSIENT_NOT_ACCEPTED);
        long visibleEnd = status == null ? 0 : status.visibleEnd();
        if (offset < 0 || offset >= visibleEnd) {
            throw new KeptlogException(
                    ErrorCode.INVALID_OFFSET,
                    visibleEnd == 0
                            ? "The partition is empty: there is no offset to store."
                            : "Offset " + Long.toUnsignedString(offset) + " is beyond the newest message, "
                                    + (visibleEnd - 1) + ".",
                    "offset");
        }
        await(at, offsets.store(at.partition(), at.consumer(), offset), deadline);
    }

    /**
     * @throws KeptlogException NOT_FOUND (also when none is stored), PARTITION_NOT_FOUND, group codes, PARTITION_READ_TIMEOUT
     */
    public StoredOffset get(Place place) {
        Resolved at = resolve(place, Lookup.Absent.PLAIN);
        OptionalLong stored = offsets.get(at.partition(), at.consumer());
        if (stored.isEmpty()) {
            throw new KeptlogException(ErrorCode.NOT_FOUND, "This consumer has no offset stored here.", "consumer_id");
        }
        LogStatus status = status(at.partition(), Deadline.in(writeTimeout), ErrorCode.PARTITION_READ_TIMEOUT);
        long current = status == null ? 0 : Math.max(0, status.visibleEnd() - 1);
        return new StoredOffset(at.partition().ref().partitionId(), current, stored.getAsLong());
    }

    /**
     * Everybody who has an offset in the topic, by partition, kind and number.
     *
     * @throws KeptlogException NOT_FOUND
     */
    public Positions list(Identifier stream, Identifier topic) {
        Deadline deadline = Deadline.in(writeTimeout);
        List<Position> positions = new ArrayList<>();
        for (PartitionSpec spec : Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.PLAIN)
                .specs()) {
            if (deadline.passed() || positions.size() > Limits.CONSUMERS_LISTED_MAX) {
                return firstOf(positions, true);
            }
            List<OffsetStore.ConsumerOffset> stored = offsets.list(spec);
            PartitionLog log = stored.isEmpty() ? null : openLogs.findNow(spec);
            long visibleEnd = log == null ? 0 : log.status().visibleEnd();
            stored.stream()
                    .sorted(BY_KIND_AND_NUMBER)
                    .map(c -> new Position(
                            c.consumer(),
                            spec.ref().partitionId(),
                            c.offset(),
                            Math.max(0, visibleEnd - 1),
                            Math.max(0, visibleEnd - 1 - c.offset())))
                    .forEach(positions::add);
        }
        return firstOf(positions, positions.size() > Limits.CONSUMERS_LISTED_MAX);
    }

    private static Positions firstOf(List<Position> positions, boolean more) {
        return new Positions(
                positions.stream().limit(Limits.CONSUMERS_LISTED_MAX).toList(), more);
    }

    /**
     * @throws KeptlogException those of {@link #store} but INVALID_OFFSET, and CONSUMER_OFFSET_NOT_FOUND
     */
    public void delete(Place place) {
        Deadline deadline = Deadline.in(writeTimeout);
        Resolved at = resolve(place, Lookup.Absent.NAMED);
        await(at, offsets.delete(at.partition(), at.consumer()), deadline);
    }

    private Resolved resolve(Place place, Lookup.Absent absent) {
        TopicEntry topic = Lookup.topic(catalog.state(), place.stream(), place.topic(), absent);
        PartitionSpec partition = Lookup.partition(topic, place.partitionId());
        ConsumerKey consumer =
                switch (place.kind()) {
                    case CONSUMER -> ConsumerIds.consumer(place.consumer());
                    case CONSUMER_GROUP -> new ConsumerKey(
                            ConsumerKey.Kind.CONSUMER_GROUP,
                            Lookup.group(topic, place.consumer()).id());
                };
        return new Resolved(topic, partition, consumer);
    }

    private @Nullable LogStatus status(PartitionSpec partition, Deadline deadline, ErrorCode late) {
        PartitionLog log = openLogs.find(partition, deadline, late);
        return log == null ? null : log.status();
    }

    private void await(Resolved at, long end, Deadline deadline) {
        try {
            strategies
                    .of(at.topic().options().consumerOffsetDurability())
                    .await(offsets.tail(at.partition()), end, deadline);
        } catch (KeptlogException e) {
            if (e.code() != ErrorCode.PRODUCE_TIMEOUT) {
                throw e;
            }
            throw new KeptlogException(
                    ErrorCode.OFFSET_WRITE_TIMEOUT,
                    "The offset was written, but was not known to be kept in time: it may or may not be stored.",
                    null,
                    e.retryAfterSeconds(),
                    e.details(),
                    e);
        }
    }
}
