// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.service.option.OptionValue;
import java.util.List;

/** A stream with what its topics hold now. */
public record StreamView(StreamEntry entry, List<OptionValue> options, List<TopicView> topics) {
    public long sizeBytes() {
        return topics.stream().mapToLong(TopicView::sizeBytes).sum();
    }

    public long messages() {
        return topics.stream().mapToLong(TopicView::messages).sum();
    }
}
