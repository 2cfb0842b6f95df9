// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.HumanSize;
import io.keptlog.http.dto.U64;
import io.keptlog.service.catalog.StreamView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;

/** A stream. */
@Schema(description = "A stream.")
public record StreamReply(
        @Schema(example = "0") int id,
        @JsonProperty("created_at") @Schema(description = "Microseconds since the epoch.", example = "1796032800000000")
                U64 createdAt,
        @Schema(example = "orders") String name,
        @Schema(example = "1.2 MB") String size,
        @JsonProperty("messages_count") @Schema(example = "42") U64 messagesCount,
        @JsonProperty("topics_count") @Schema(example = "1") int topicsCount,
        @Schema(description = "Options that were named, by key.") Map<String, OptionReply> options) {
    public static StreamReply of(StreamView view) {
        return new StreamReply(
                view.entry().id(),
                new U64(view.entry().createdAtMicros()),
                view.entry().name(),
                HumanSize.of(view.sizeBytes()),
                new U64(view.messages()),
                view.topics().size(),
                OptionReply.of(view.options()));
    }
}
