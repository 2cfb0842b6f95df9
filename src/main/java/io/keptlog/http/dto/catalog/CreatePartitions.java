// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;

/** The wish for more partitions. */
@Schema(description = "How many partitions are added.")
public record CreatePartitions(
        @NotNull @JsonProperty("partitions_count") @Schema(description = "1 to 1000.", example = "2")
                Long partitionsCount) {}
