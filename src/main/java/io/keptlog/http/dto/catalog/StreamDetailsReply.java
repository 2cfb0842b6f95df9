// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.HumanSize;
import io.keptlog.http.dto.U64;
import io.keptlog.service.catalog.StreamView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;

/** A stream with its topics. */
@Schema(description = "A stream with its topics.")
public record StreamDetailsReply(
        @Schema(example = "0") int id,
        @JsonProperty("created_at") @Schema(description = "Microseconds since the epoch.", example = "1796032800000000")
                U64 createdAt,
        @Schema(example = "orders") String name,
        @Schema(example = "1.2 MB") String size,
        @JsonProperty("messages_count") @Schema(example = "42") U64 messagesCount,
        @JsonProperty("topics_count") @Schema(example = "1") int topicsCount,
        @Schema(description = "Options that were named, by key.") Map<String, OptionReply> options,
        List<TopicReply> topics,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) @Schema(description = "What the quorum policy costs; in a cluster.")
                List<String> warnings) {
    public static StreamDetailsReply of(StreamView view, List<String> warnings) {
        return new StreamDetailsReply(
                view.entry().id(),
                new U64(view.entry().createdAtMicros()),
                view.entry().name(),
                HumanSize.of(view.sizeBytes()),
                new U64(view.messages()),
                view.topics().size(),
                OptionReply.of(view.options()),
                view.topics().stream().map(TopicReply::of).toList(),
                warnings);
    }
}
