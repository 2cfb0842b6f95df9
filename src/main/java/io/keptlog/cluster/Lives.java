// SPDX-License-Identifier: Apache-2.0
package io.keptlog.cluster;

import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.TopicEntry;
import org.jspecify.annotations.Nullable;

/** The present life of a partition, as a state of the catalog has it. */
final class Lives {
    private Lives() {}

    static @Nullable PartitionSpec find(CatalogState state, PartitionRef ref) {
        TopicEntry topic = state.findTopic(ref.streamId(), ref.topicId());
        return topic == null || ref.partitionId() >= topic.partitions().size()
                ? null
                : topic.spec(topic.partitions().get(ref.partitionId()));
    }
}
