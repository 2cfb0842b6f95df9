// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Next versions of a topic, inside the state that holds it. */
final class Topics {
    private Topics() {}

    static List<Removal> removals(TopicEntry topic) {
        return topic.specs().stream()
                .map(s -> new Removal(s.ref(), s.incarnation()))
                .toList();
    }

    static CatalogState created(CatalogState state, CatalogChange.TopicCreated c) {
        var topic = new TopicEntry(
                c.streamId(),
                c.topicId(),
                c.createdAtMicros(),
                c.name(),
                c.options(),
                c.partitions(),
                0,
                new TreeMap<>());
        return put(state, topic);
    }

    static CatalogState updated(CatalogState state, CatalogChange.TopicUpdated c) {
        return replace(
                state,
                c.streamId(),
                c.topicId(),
                t -> new TopicEntry(
                        t.streamId(),
                        t.id(),
                        t.createdAtMicros(),
                        c.name(),
                        c.options(),
                        t.partitions(),
                        t.nextGroupId(),
                        t.groups()));
    }

    static CatalogState deleted(CatalogState state, CatalogChange.TopicDeleted c) {
        TopicEntry topic = topic(state, c.streamId(), c.topicId());
        StreamEntry without = state.stream(c.streamId(), s -> {
            var topics = new TreeMap<>(s.topics());
            topics.remove(c.topicId());
            return withTopics(s, s.nextTopicId(), topics);
        });
        return state.putStream(without).withRemovals(removals(topic));
    }

    static CatalogState purged(CatalogState state, CatalogChange.TopicsPurged c) {
        CatalogState next = state;
        for (var purged : c.partitionsByTopic().entrySet()) {
            List<Removal> gone = removals(topic(next, c.streamId(), purged.getKey()));
            next = withPartitions(next, c.streamId(), purged.getKey(), old -> purged.getValue())
                    .withRemovals(gone);
        }
        return next;
    }

    static CatalogState partitionsAdded(CatalogState state, CatalogChange.PartitionsAdded c) {
        return withPartitions(state, c.streamId(), c.topicId(), old -> {
            var all = new ArrayList<>(old);
            all.addAll(c.partitions());
            return all;
        });
    }

    static CatalogState partitionsRemoved(CatalogState state, CatalogChange.PartitionsRemoved c) {
        TopicEntry topic = topic(state, c.streamId(), c.topicId());
        int kept = topic.partitions().size() - c.count();
        if (kept < 0) {
            throw new IllegalStateException("topic " + c.topicId() + " has fewer than " + c.count() + " partitions");
        }
        List<Removal> gone = removals(topic).subList(kept, topic.partitions().size());
        return withPartitions(state, c.streamId(), c.topicId(), old -> old.subList(0, kept))
                .withRemovals(gone);
    }

    static CatalogState groupCreated(CatalogState state, CatalogChange.GroupCreated c) {
        return replace(state, c.streamId(), c.topicId(), t -> {
            var groups = new TreeMap<>(t.groups());
            groups.put(c.group().id(), c.group());
            return withGroups(t, Math.max(t.nextGroupId(), c.group().id() + 1), groups);
        });
    }

    static CatalogState groupDeleted(CatalogState state, CatalogChange.GroupDeleted c) {
        return replace(state, c.streamId(), c.topicId(), t -> {
            var groups = new TreeMap<>(t.groups());
            groups.remove(c.groupId());
            return withGroups(t, t.nextGroupId(), groups);
        });
    }

    private static TopicEntry topic(CatalogState state, int streamId, int topicId) {
        TopicEntry topic = state.findTopic(streamId, topicId);
        if (topic == null) {
            throw new IllegalStateException("no topic " + streamId + "/" + topicId);
        }
        return topic;
    }

    private static CatalogState replace(CatalogState state, int streamId, int topicId, UnaryOperator<TopicEntry> next) {
        return put(state, next.apply(topic(state, streamId, topicId)));
    }

    private static CatalogState put(CatalogState state, TopicEntry topic) {
        return state.putStream(state.stream(topic.streamId(), s -> {
            var topics = new TreeMap<>(s.topics());
            topics.put(topic.id(), topic);
            return withTopics(s, Math.max(s.nextTopicId(), topic.id() + 1), topics);
        }));
    }

    private static CatalogState withPartitions(
            CatalogState state, int streamId, int topicId, UnaryOperator<List<PartitionEntry>> next) {
        return replace(
                state,
                streamId,
                topicId,
                t -> new TopicEntry(
                        t.streamId(),
                        t.id(),
                        t.createdAtMicros(),
                        t.name(),
                        t.options(),
                        next.apply(t.partitions()),
                        t.nextGroupId(),
                        t.groups()));
    }

    private static TopicEntry withGroups(TopicEntry t, int nextGroupId, SortedMap<Integer, GroupEntry> groups) {
        return new TopicEntry(
                t.streamId(), t.id(), t.createdAtMicros(), t.name(), t.options(), t.partitions(), nextGroupId, groups);
    }

    private static StreamEntry withTopics(StreamEntry s, int nextTopicId, SortedMap<Integer, TopicEntry> topics) {
        return new StreamEntry(s.id(), s.createdAtMicros(), s.name(), s.options(), nextTopicId, topics);
    }
}
