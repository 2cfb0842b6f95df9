// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.keptlog.service.offset.GroupView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** A consumer group with its members. */
@Schema(description = "A consumer group with its members; over HTTP nobody joins one.")
public record GroupDetailsReply(@JsonUnwrapped GroupReply group, List<Member> members) {
    /** A member and the partitions it reads. */
    public record Member(int id, @JsonProperty("partitions_count") int partitionsCount, List<Integer> partitions) {}

    public static GroupDetailsReply of(GroupView view) {
        return new GroupDetailsReply(GroupReply.of(view), List.of());
    }
}
