// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.message;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.U64;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import org.jspecify.annotations.Nullable;

/** An offset to be stored. */
@Schema(description = "An offset to be stored for a consumer or a consumer group.")
public record StoreOffset(
        @JsonProperty("consumer_id")
                @Schema(description = "Number or name; absent = consumer 1.", example = "billing")
                @Nullable
                ConsumerId consumerId,
        @JsonProperty("consumer_kind")
                @Schema(description = "consumer (default) or consumer_group.", example = "consumer")
                @Nullable
                String consumerKind,
        @JsonProperty("partition_id")
                @Min(0)
                @Max(4294967295L)
                @Schema(description = "Absent or null = partition 0.", example = "0")
                @Nullable
                Long partitionId,
        @NotNull @Schema(description = "At most the newest visible message's; an earlier one rewinds.", example = "0")
                U64 offset) {}
