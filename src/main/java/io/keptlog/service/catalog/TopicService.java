// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.Limits;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.domain.catalog.TopicOptions;
import io.keptlog.service.Micros;
import io.keptlog.service.option.TopicOptionsParser;
import io.keptlog.service.option.TopicSettings;
import io.keptlog.storage.Catalog;
import java.time.InstantSource;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Topics: create, read, update, delete. Keeps no state; the catalog orders concurrent changes. A call that returned is durable and, for
 * a new topic, usable; one that threw changed nothing, unless the code is SYNC_FAILED.
 */
public final class TopicService {
    private final Catalog catalog;
    private final Views views;
    private final PartitionMaker maker;
    private final Removals removals;
    private final InstantSource clock;

    public TopicService(Catalog catalog, Views views, PartitionMaker maker, Removals removals, InstantSource clock) {
        this.catalog = catalog;
        this.views = views;
        this.maker = maker;
        this.removals = removals;
        this.clock = clock;
    }

    /** The stream's topics by id; none when there is no such stream (Iggy HTTP API §2). */
    public List<TopicView> list(Identifier stream) {
        StreamEntry found = catalog.state().findStream(stream);
        return found == null
                ? List.of()
                : found.topics().values().stream().map(views::of).toList();
    }

    /**
     * @throws KeptlogException NOT_FOUND
     */
    public TopicView get(Identifier stream, Identifier topic) {
        return views.of(Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.PLAIN));
    }

    /**
     * @throws KeptlogException STREAM_ID_NOT_FOUND, INVALID_TOPIC_NAME, TOPIC_NAME_ALREADY_EXISTS, TOO_MANY_PARTITIONS, NO_SPACE, and
     *     what the options' parser throws
     */
    public TopicView create(Identifier stream, String name, long partitionsCount, TopicSettings settings) {
        Names.check(name, ErrorCode.INVALID_TOPIC_NAME);
        if (partitionsCount < 0 || partitionsCount > Limits.PARTITIONS_PER_REQUEST_MAX) {
            throw new KeptlogException(
                    ErrorCode.TOO_MANY_PARTITIONS,
                    "A topic is created with 0 to " + Limits.PARTITIONS_PER_REQUEST_MAX + " partitions, not "
                            + partitionsCount + ".",
                    "partitions_count");
        }
        TopicOptions options = TopicOptionsParser.forCreation(settings, (int) partitionsCount);
        CatalogChange.TopicCreated created =
                maker.make(state -> birth(state, stream, name, options, (int) partitionsCount));
        return get(new Identifier.Numeric(created.streamId()), new Identifier.Numeric(created.topicId()));
    }

    private PartitionMaker.Birth<CatalogChange.TopicCreated> birth(
            CatalogState state, Identifier stream, String name, TopicOptions options, int partitionsCount) {
        StreamEntry parent = Lookup.stream(state, stream, Lookup.Absent.NAMED);
        refuseTaken(parent, name, null);
        long now = Micros.now(clock);
        List<PartitionEntry> partitions = maker.entries(0, partitionsCount, now);
        var topic =
                new TopicEntry(parent.id(), parent.nextTopicId(), now, name, options, partitions, 0, new TreeMap<>());
        return new PartitionMaker.Birth<>(
                new CatalogChange.TopicCreated(parent.id(), topic.id(), now, name, options, partitions), topic.specs());
    }

    /**
     * A patch: what the settings leave out stays. A refused key changes nothing at all.
     *
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, INVALID_TOPIC_NAME, TOPIC_NAME_ALREADY_EXISTS, and what the
     *     options' parser throws
     */
    public void update(Identifier stream, Identifier topic, String name, TopicSettings settings) {
        Names.check(name, ErrorCode.INVALID_TOPIC_NAME);
        catalog.change(state -> {
            TopicEntry current = Lookup.topic(state, stream, topic, Lookup.Absent.NAMED);
            TopicOptions options = TopicOptionsParser.forUpdate(current.options(), settings);
            refuseTaken(Lookup.stream(state, stream, Lookup.Absent.NAMED), name, current);
            return new CatalogChange.TopicUpdated(current.streamId(), current.id(), name, options);
        });
    }

    /**
     * Durable when it returns; files and offsets go in the background.
     *
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND
     */
    public void delete(Identifier stream, Identifier topic) {
        catalog.change(state -> {
            TopicEntry gone = Lookup.topic(state, stream, topic, Lookup.Absent.NAMED);
            return new CatalogChange.TopicDeleted(gone.streamId(), gone.id());
        });
        removals.wake();
    }

    private static void refuseTaken(StreamEntry stream, String name, @Nullable TopicEntry self) {
        TopicEntry other = stream.findTopic(new Identifier.Name(name));
        if (other != null && (self == null || other.id() != self.id())) {
            throw new KeptlogException(
                    ErrorCode.TOPIC_NAME_ALREADY_EXISTS,
                    "Topic with name \"" + name + "\" already exists in stream " + stream.id() + ".",
                    "name");
        }
    }
}
