// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.message;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.U64;
import io.keptlog.service.offset.OffsetService;
import io.swagger.v3.oas.annotations.media.Schema;

/** A stored offset beside where the partition is. */
@Schema(description = "A stored offset beside where the partition is.")
public record OffsetReply(
        @JsonProperty("partition_id") @Schema(example = "0") int partitionId,
        @JsonProperty("current_offset")
                @Schema(description = "Offset of the newest visible message, 0 when there is none.", example = "99")
                U64 currentOffset,
        @JsonProperty("stored_offset") @Schema(example = "41") U64 storedOffset) {
    public static OffsetReply of(OffsetService.StoredOffset stored) {
        return new OffsetReply(stored.partitionId(), new U64(stored.currentOffset()), new U64(stored.storedOffset()));
    }
}
