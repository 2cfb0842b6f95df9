// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.offset;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.catalog.CatalogChange;
import io.keptlog.domain.catalog.GroupEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.service.Micros;
import io.keptlog.service.catalog.Lookup;
import io.keptlog.service.catalog.Names;
import io.keptlog.storage.Catalog;
import io.keptlog.storage.OffsetStore;
import java.time.InstantSource;
import java.util.List;

/**
 * Consumer groups: create, read, delete. Keeps no state; the catalog orders concurrent changes. A call that returned is durable; one
 * that threw changed nothing, unless the code is SYNC_FAILED. Ids are never reused in a topic, so a later group inherits no offset even
 * if a crash comes between a group's deletion and that of its offsets.
 */
public final class GroupService {
    private final Catalog catalog;
    private final OffsetStore offsets;
    private final InstantSource clock;

    public GroupService(Catalog catalog, OffsetStore offsets, InstantSource clock) {
        this.catalog = catalog;
        this.offsets = offsets;
        this.clock = clock;
    }

    /**
     * By id.
     *
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND
     */
    public List<GroupView> list(Identifier stream, Identifier topic) {
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.NAMED);
        return entry.groups().values().stream().map(g -> view(entry, g)).toList();
    }

    /**
     * @throws KeptlogException NOT_FOUND
     */
    public GroupView get(Identifier stream, Identifier topic, Identifier group) {
        TopicEntry entry = Lookup.topic(catalog.state(), stream, topic, Lookup.Absent.PLAIN);
        try {
            return view(entry, Lookup.group(entry, group));
        } catch (KeptlogException e) {
            throw new KeptlogException(ErrorCode.NOT_FOUND, e.reason(), e.field());
        }
    }

    /**
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, INVALID_CONSUMER_GROUP_NAME,
     *     CONSUMER_GROUP_NAME_ALREADY_EXISTS
     */
    public GroupView create(Identifier stream, Identifier topic, String name) {
        Names.check(name, ErrorCode.INVALID_CONSUMER_GROUP_NAME);
        CatalogChange.GroupCreated created = catalog.change(state -> {
            TopicEntry entry = Lookup.topic(state, stream, topic, Lookup.Absent.NAMED);
            if (entry.groups().values().stream().anyMatch(g -> g.name().equals(name))) {
                throw new KeptlogException(
                        ErrorCode.CONSUMER_GROUP_NAME_ALREADY_EXISTS,
                        "Consumer group with name \"" + name + "\" already exists in topic " + entry.id() + ".",
                        "name");
            }
            var group = new GroupEntry(entry.nextGroupId(), Micros.now(clock), name);
            return new CatalogChange.GroupCreated(entry.streamId(), entry.id(), group);
        });
        return get(
                new Identifier.Numeric(created.streamId()),
                new Identifier.Numeric(created.topicId()),
                new Identifier.Numeric(created.group().id()));
    }

    /**
     * Deletes the group and its offsets.
     *
     * @throws KeptlogException STREAM_ID_NOT_FOUND, TOPIC_ID_NOT_FOUND, CONSUMER_GROUP_ID_NOT_FOUND, CONSUMER_GROUP_NAME_NOT_FOUND
     */
    public void delete(Identifier stream, Identifier topic, Identifier group) {
        CatalogChange.GroupDeleted deleted = catalog.change(state -> {
            TopicEntry entry = Lookup.topic(state, stream, topic, Lookup.Absent.NAMED);
            return new CatalogChange.GroupDeleted(
                    entry.streamId(), entry.id(), Lookup.group(entry, group).id());
        });
        TopicEntry entry = catalog.state().findTopic(deleted.streamId(), deleted.topicId());
        if (entry != null) {
            offsets.forget(entry.specs(), new ConsumerKey(ConsumerKey.Kind.CONSUMER_GROUP, deleted.groupId()));
        }
    }

    private static GroupView view(TopicEntry topic, GroupEntry group) {
        return new GroupView(group.id(), group.name(), topic.partitions().size());
    }
}
