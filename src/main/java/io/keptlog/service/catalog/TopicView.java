// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.service.option.OptionValue;
import java.util.List;

/** A topic with what its partitions hold now. */
public record TopicView(TopicEntry entry, List<OptionValue> options, List<PartitionView> partitions) {
    public long sizeBytes() {
        return partitions.stream().mapToLong(PartitionView::sizeBytes).sum();
    }

    public long messages() {
        return partitions.stream().mapToLong(PartitionView::messages).sum();
    }
}
