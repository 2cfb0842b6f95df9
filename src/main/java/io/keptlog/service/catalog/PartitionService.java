// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.service.Micros;
import io.keptlog.service.option.TopicOptionsParser;
import io.keptlog.storage.Catalog;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The lives of partitions: adding, removing, and purging, which ends every life and begins a new one with the same number. Keeps no
 * state. A call that returned is durable; one that threw changed nothing, unless the code is SYNC_FAILED.
 */
public final class PartitionService {
    private final Catalog catalog;
    private final PartitionMaker maker;
    private final Removals removals;
    private final InstantSource clock;

    public PartitionService(Catalog catalog, PartitionMaker maker, Removals removals, InstantSource clock) {
        this.catalog = catalog;
        this.maker = maker;
        this.removals = removals;
        this.clock = clock;
    }

    /**
     * @throws KeptlogException TOO_MANY_PARTITIONS, INVALID_OPTION_VALUE (preallocation), NO_SPACE, STREAM_ID_NOT_FOUND,
     *     TOPIC_ID_NOT_FOUND
     */
    public void add(Identifier stream, Identifier topic, long count) {
        checkCount(count);
        maker.make(state -> {
            TopicEntry current = Lookup.topic(state, stream, topic, Lookup.Absent.NAMED);
            int total = current.partitions().size() + (int) count;
            if (total > Limits.PARTITIONS_PER_TOPIC_MAX) {
                throw new KeptlogException(
                        ErrorCode.TOO_MANY_PARTITIONS,
                        "A topic has at most " + Limits.PARTITIONS_PER_TOPIC_MAX + " partitions.",
                        "partitions_count");
            }
            TopicOptionsParser.checkPreallocation(current.options(), total);
            List<PartitionEntry> added = maker.entries(current.partitions().size(), (int) count, Micros.now(clock));
            return new PartitionMaker.Birth<>(
                    new CatalogChange.PartitionsAdded(current.streamId(), current.id(), added),
                    added.stream().map(current::spec).toList());
        });
    }

    /**
     * Removes the last {@code count} partitions. Durable when it returns; files go in the background.
     *
     * @throws KeptlogException TOO_MANY_PARTITIONS, INVALID_PARTITIONS_COUNT (the topic has fewer), STREAM_ID_NOT_FOUND,
     *     TOPIC_ID_NOT_FOUND
     */
    public void remove(Identifier stream, Identifier topic, long count) {
        checkCount(count);
        catalog.change(state -> {
            TopicEntry current = Lookup.topic(state, stream, topic, Lookup.Absent.NAMED);
            if (count > current.partitions().size()) {
                throw new KeptlogException(
                        ErrorCode.INVALID_PARTITIONS_COUNT,
                        "Topic " + current.id() + " has only "
                                + current.partitions().size() + " partitions.",
                        "partitions_count");
            }
            return new CatalogChange.PartitionsRemoved(current.streamId(), current.id(), (int) count);
        });
        removals.wake();
    }

    /**
     * Empties the topic: its partitions begin new lives at offset 0, without stored offsets.
     *
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, NO_SPACE
     */
    public void purgeTopic(Identifier stream, Identifier topic) {
        maker.make(state -> {
            TopicEntry current = Lookup.topic(state, stream, topic, Lookup.Absent.NAMED);
            return rebirth(current.streamId(), List.of(current));
        });
        removals.wake();
    }

    /**
     * Empties every topic of the stream, in one step.
     *
     * @throws KeptlogException STREAM_ID_NOT_FOUND, NO_SPACE
     */
    public void purgeStream(Identifier stream) {
        maker.make(state -> {
            StreamEntry current = streamOf(state, stream);
            return rebirth(current.id(), current.topics().values());
        });
        removals.wake();
    }

    private static StreamEntry streamOf(CatalogState state, Identifier stream) {
        return Lookup.stream(state, stream, Lookup.Absent.NAMED);
    }

    private PartitionMaker.Birth<CatalogChange.TopicsPurged> rebirth(int streamId, Collection<TopicEntry> topics) {
        long now = Micros.now(clock);
        Map<Integer, List<PartitionEntry>> lives = new TreeMap<>();
        List<PartitionSpec> specs = new ArrayList<>();
        for (TopicEntry topic : topics) {
            List<PartitionEntry> fresh = maker.entries(0, topic.partitions().size(), now);
            lives.put(topic.id(), fresh);
            fresh.forEach(p -> specs.add(topic.spec(p)));
        }
        return new PartitionMaker.Birth<>(new CatalogChange.TopicsPurged(streamId, lives), specs);
    }

    private static void checkCount(long count) {
        if (count < 1 || count > Limits.PARTITIONS_PER_REQUEST_MAX) {
            throw new KeptlogException(
                    ErrorCode.TOO_MANY_PARTITIONS,
                    "A request names 1 to " + Limits.PARTITIONS_PER_REQUEST_MAX + " partitions, not " + count + ".",
                    "partitions_count");
        }
    }
}
