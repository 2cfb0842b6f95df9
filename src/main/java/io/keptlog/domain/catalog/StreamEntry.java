// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import io.keptlog.domain.Identifier;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stream with its topics.
 *
 * @param options keys that the client named, with their canonical values
 * @param nextTopicId ids are never reused
 */
public record StreamEntry(
        int id,
        long createdAtMicros,
        String name,
        Map<String, String> options,
        int nextTopicId,
        SortedMap<Integer, TopicEntry> topics) {
    public StreamEntry {
        options = Map.copyOf(options);
        topics = Collections.unmodifiableSortedMap(new TreeMap<>(topics));
    }

    public @Nullable TopicEntry findTopic(Identifier identifier) {
        return switch (identifier) {
            case Identifier.Numeric n -> n.value() > Integer.MAX_VALUE ? null : topics.get((int) n.value());
            case Identifier.Name name -> topics.values().stream()
                    .filter(t -> t.name().equals(name.value()))
                    .findFirst()
                    .orElse(null);
        };
    }
}
