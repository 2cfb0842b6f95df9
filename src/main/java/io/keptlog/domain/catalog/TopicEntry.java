// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** A topic with its partitions (0..n−1, in order) and consumer groups. */
public record TopicEntry(
        int streamId,
        int id,
        long createdAtMicros,
        String name,
        TopicOptions options,
        List<PartitionEntry> partitions,
        int nextGroupId,
        SortedMap<Integer, GroupEntry> groups) {
    public TopicEntry {
        partitions = List.copyOf(partitions);
        groups = Collections.unmodifiableSortedMap(new TreeMap<>(groups));
        for (int i = 0; i < partitions.size(); i++) {
            if (partitions.get(i).id() != i) {
                throw new IllegalArgumentException(
                        "partition " + partitions.get(i).id() + " at " + i);
            }
        }
    }

    public PartitionSpec spec(PartitionEntry partition) {
        return new PartitionSpec(
                new PartitionRef(streamId, id, partition.id()), partition.incarnation(), options.logOptions());
    }

    public List<PartitionSpec> specs() {
        return partitions.stream().map(this::spec).toList();
    }
}
