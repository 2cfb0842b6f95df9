// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import io.keptlog.domain.Identifier;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A stream with its topics, immutable. Topics are found by name as fast as by number: each produce and poll asks. */
public final class StreamEntry {
    private final int id;
    private final long createdAtMicros;
    private final String name;
    private final Map<String, String> options;
    private final int nextTopicId;
    private final SortedMap<Integer, TopicEntry> topics;
    /** Follows from the topics: no part of what is stored. */
    private final transient Map<String, TopicEntry> topicsByName;

    /**
     * @param options keys that the client named, with their canonical values
     * @param nextTopicId ids are never reused
     */
    public StreamEntry(
            int id,
            long createdAtMicros,
            String name,
            Map<String, String> options,
            int nextTopicId,
            SortedMap<Integer, TopicEntry> topics) {
        this.id = id;
        this.createdAtMicros = createdAtMicros;
        this.name = name;
        this.options = Map.copyOf(options);
        this.nextTopicId = nextTopicId;
        this.topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
        this.topicsByName = HashMap.newHashMap(topics.size());
        topics.values().forEach(topic -> topicsByName.put(topic.name(), topic));
    }

    public int id() {
        return id;
    }

    public long createdAtMicros() {
        return createdAtMicros;
    }

    public String name() {
        return name;
    }

    public Map<String, String> options() {
        return options;
    }

    public int nextTopicId() {
        return nextTopicId;
    }

    public SortedMap<Integer, TopicEntry> topics() {
        return topics;
    }

    public @Nullable TopicEntry findTopic(Identifier identifier) {
        return switch (identifier) {
            case Identifier.Numeric n -> n.value() > Integer.MAX_VALUE ? null : topics.get((int) n.value());
            case Identifier.Name wanted -> topicsByName.get(wanted.value());
        };
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StreamEntry that
                && id == that.id
                && createdAtMicros == that.createdAtMicros
                && nextTopicId == that.nextTopicId
                && name.equals(that.name)
                && options.equals(that.options)
                && topics.equals(that.topics);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, createdAtMicros, name, options, nextTopicId, topics);
    }

    @Override
    public String toString() {
        return "StreamEntry[" + id + " " + name + ", " + topics.size() + " topics]";
    }
}
