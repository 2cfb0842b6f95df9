// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.HumanSize;
import io.keptlog.http.dto.U64;
import io.keptlog.service.catalog.PartitionView;
import io.swagger.v3.oas.annotations.media.Schema;

/** A partition. */
@Schema(description = "A partition of a topic.")
public record PartitionReply(
        @Schema(example = "0") int id,
        @JsonProperty("created_at") @Schema(description = "Microseconds since the epoch.", example = "1796032800000000")
                U64 createdAt,
        @JsonProperty("segments_count") @Schema(example = "1") int segmentsCount,
        @JsonProperty("current_offset")
                @Schema(description = "Offset of the newest visible message, 0 when there is none.", example = "41")
                U64 currentOffset,
        @Schema(example = "1.2 MB") String size,
        @JsonProperty("messages_count") @Schema(example = "42") U64 messagesCount) {
    static PartitionReply of(PartitionView view) {
        return new PartitionReply(
                view.id(),
                new U64(view.createdAtMicros()),
                view.segments(),
                new U64(view.currentOffset()),
                HumanSize.of(view.sizeBytes()),
                new U64(view.messages()));
    }
}
