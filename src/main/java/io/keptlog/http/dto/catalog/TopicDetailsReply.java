// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.HumanSize;
import io.keptlog.http.dto.U64;
import io.keptlog.service.catalog.TopicView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;

/** A topic with its partitions. */
@Schema(description = "A topic with its partitions.")
public record TopicDetailsReply(
        @Schema(example = "0") int id,
        @JsonProperty("created_at") @Schema(description = "Microseconds since the epoch.", example = "1796032800000000")
                U64 createdAt,
        @Schema(example = "events") String name,
        @Schema(example = "1.2 MB") String size,
        @JsonProperty("message_expiry")
                @Schema(description = "Microseconds; 18446744073709551615 = never.", example = "604800000000")
                U64 messageExpiry,
        @JsonProperty("compression_algorithm") @Schema(example = "none") String compressionAlgorithm,
        @JsonProperty("max_topic_size")
                @Schema(description = "Bytes; 18446744073709551615 = unlimited.", example = "18446744073709551615")
                U64 maxTopicSize,
        @JsonProperty("replication_factor") @Schema(description = "Always 1 on one node.", example = "1")
                int replicationFactor,
        @JsonProperty("messages_count") @Schema(example = "42") U64 messagesCount,
        @JsonProperty("partitions_count") @Schema(example = "3") int partitionsCount,
        @Schema(description = "All effective options by key.") Map<String, OptionReply> options,
        List<PartitionReply> partitions) {
    public static TopicDetailsReply of(TopicView view) {
        return new TopicDetailsReply(
                view.entry().id(),
                new U64(view.entry().createdAtMicros()),
                view.entry().name(),
                HumanSize.of(view.sizeBytes()),
                new U64(view.entry().options().messageExpiryMicros()),
                view.entry().options().compression().wireName(),
                new U64(view.entry().options().maxTopicSizeBytes()),
                1,
                new U64(view.messages()),
                view.partitions().size(),
                OptionReply.of(view.options()),
                view.partitions().stream().map(PartitionReply::of).toList());
    }
}
