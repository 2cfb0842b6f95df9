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

/** A patch of a topic: what is absent stays as it is. */
@Schema(description = "A patch of a topic: what is absent stays as it is. Naming a create-only option changes nothing.")
public record UpdateTopic(
        @NotNull @Schema(example = "events") String name,
        @JsonProperty("compression_algorithm") @Schema(example = "gzip") @Nullable String compressionAlgorithm,
        @JsonProperty("message_expiry") @Schema(example = "604800000000") @Nullable U64 messageExpiry,
        @JsonProperty("max_topic_size") @Schema(example = "18446744073709551615") @Nullable U64 maxTopicSize,
        @Schema(example = "{\"message_expiry\": \"7 days\"}") @Nullable Map<String, @NotNull String> options) {
    public TopicSettings settings() {
        return new TopicSettings(
                compressionAlgorithm,
                messageExpiry == null ? null : messageExpiry.bits(),
                maxTopicSize == null ? null : maxTopicSize.bits(),
                Objects.requireNonNullElse(options, Map.of()));
    }
}
