// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.PartitionEntry;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.service.option.OptionValue;
import io.keptlog.storage.LogStatus;

/** Puts what the catalog knows and what the logs hold together. Waits for nothing: a log that is not open counts as empty. */
public final class Views {
    private final OpenLogs openLogs;

    public Views(OpenLogs openLogs) {
        this.openLogs = openLogs;
    }

    public StreamView of(StreamEntry stream) {
        return new StreamView(
                stream,
                OptionValue.of(stream.options()),
                stream.topics().values().stream().map(this::of).toList());
    }

    public TopicView of(TopicEntry topic) {
        return new TopicView(
                topic,
                OptionValue.of(topic.options()),
                topic.partitions().stream().map(p -> of(topic.spec(p), p)).toList());
    }

    private PartitionView of(PartitionSpec spec, PartitionEntry entry) {
        LogStatus status = openLogs.statusNow(spec);
        if (status == null) {
            return new PartitionView(entry.id(), entry.createdAtMicros(), 0, 0, 0, 0);
        }
        return new PartitionView(
                entry.id(),
                entry.createdAtMicros(),
                status.segments(),
                Math.max(0, status.visibleEnd() - 1),
                status.sizeBytes(),
                Math.max(0, status.visibleEnd() - status.firstOffset()));
    }
}
