// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.U64;
import io.keptlog.service.option.TopicSettings;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.NotNull;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The wish for a topic. */
@Schema(
        description =
                "A topic to be created. Members that are not listed are ignored; unknown options are refused by name.")
public record CreateTopic(
        @NotNull @Schema(description = "1 to 255 bytes of UTF-8, no control characters.", example = "events")
                String name,
        @NotNull @JsonProperty("partitions_count") @Schema(description = "0 to 1000.", example = "3")
                Long partitionsCount,
        @NotNull @JsonProperty("compression_algorithm") @Schema(description = "none or gzip.", example = "none")
                String compressionAlgorithm,
        @NotNull
                @JsonProperty("message_expiry")
                @Schema(
                        description = "Microseconds; 0 = the server's default, 18446744073709551615 = never.",
                        example = "0")
                U64 messageExpiry,
        @NotNull
                @JsonProperty("max_topic_size")
                @Schema(
                        description = "Bytes; 0 = the server's default, 18446744073709551615 = unlimited.",
                        example = "0")
                U64 maxTopicSize,
        @Schema(
                        description = "Options by key, values as text; see GET /options/topic.",
                        example = "{\"durability\": \"persisted\", \"segment_size\": \"128 MiB\"}")
                @Nullable
                Map<String, @NotNull String> options) {
    public TopicSettings settings() {
        return new TopicSettings(
                compressionAlgorithm,
                messageExpiry.bits(),
                maxTopicSize.bits(),
                Objects.requireNonNullElse(options, Map.of()));
    }
}
