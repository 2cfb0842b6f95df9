// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.keptlog.service.catalog.TopicView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A topic with its partitions. */
@Schema(description = "A topic with its partitions.")
public record TopicDetailsReply(@JsonUnwrapped TopicReply topic, List<PartitionReply> partitions) {
    public static TopicDetailsReply of(TopicView view) {
        return new TopicDetailsReply(
                TopicReply.of(view),
                view.partitions().stream().map(PartitionReply::of).toList());
    }
}
