// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.service.offset.GroupView;
import io.swagger.v3.oas.annotations.media.Schema;

/** A consumer group. */
@Schema(description = "A consumer group. Over HTTP nobody joins one, so it has no members.")
public record GroupReply(
        @Schema(example = "0") int id,
        @Schema(example = "billing") String name,
        @JsonProperty("partitions_count") @Schema(example = "3") int partitionsCount,
        @JsonProperty("members_count") @Schema(example = "0") int membersCount) {
    public static GroupReply of(GroupView view) {
        return new GroupReply(view.id(), view.name(), view.partitions(), 0);
    }
}
