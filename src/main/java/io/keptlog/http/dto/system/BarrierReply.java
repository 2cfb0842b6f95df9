// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.U64;
import io.keptlog.service.message.BarrierService;
import io.swagger.v3.oas.annotations.media.Schema;

/** What a barrier reached. */
@Schema(description = "Everything before end_offset was appended before the call and is on stable storage now.")
public record BarrierReply(
        @JsonProperty("partition_id") @Schema(example = "0") int partitionId,
        @JsonProperty("end_offset") @Schema(example = "42") U64 endOffset,
        @JsonProperty("persisted_end_offset") @Schema(example = "42") U64 persistedEndOffset,
        @Schema(example = "7") U64 epoch) {
    public static BarrierReply of(BarrierService.Barrier barrier) {
        return new BarrierReply(
                barrier.partitionId(),
                new U64(barrier.endOffset()),
                new U64(barrier.persistedEndOffset()),
                new U64(barrier.epoch()));
    }
}
