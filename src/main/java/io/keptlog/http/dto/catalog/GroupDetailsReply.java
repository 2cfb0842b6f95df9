// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.service.offset.GroupView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A consumer group with its members. */
@Schema(description = "A consumer group with its members; over HTTP nobody joins one.")
public record GroupDetailsReply(
        @Schema(example = "0") int id,
        @Schema(example = "billing") String name,
        @JsonProperty("partitions_count") @Schema(example = "3") int partitionsCount,
        @JsonProperty("members_count") @Schema(example = "0") int membersCount,
        List<Member> members) {
    /** A member and the partitions it reads. */
    public record Member(int id, @JsonProperty("partitions_count") int partitionsCount, List<Integer> partitions) {}

    public static GroupDetailsReply of(GroupView view) {
        return new GroupDetailsReply(view.id(), view.name(), view.partitions(), 0, List.of());
    }
}
