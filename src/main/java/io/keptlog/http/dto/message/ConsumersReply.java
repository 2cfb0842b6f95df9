// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.message;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.U64;
import io.keptlog.service.offset.OffsetService;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;

/** How far the consumers of a topic have come. */
@Schema(description = "How far the consumers of a topic have come: everybody who has a stored offset.")
public record ConsumersReply(
        List<Consumer> consumers,
        @Schema(description = "Whether some were left out: more than 10,000, or not told in time.", example = "false")
                boolean more) {

    /** A consumer in a partition. */
    @Schema(name = "ConsumerPosition", description = "How far one consumer has come in one partition.")
    public record Consumer(
            @JsonProperty("consumer_id")
                    @Schema(description = "The number; a name is stored as the number it hashes to.", example = "1")
                    long consumerId,
            @JsonProperty("consumer_kind") @Schema(description = "consumer or consumer_group.", example = "consumer")
                    String consumerKind,
            @JsonProperty("partition_id") @Schema(example = "0") int partitionId,
            @JsonProperty("stored_offset") @Schema(example = "41") U64 storedOffset,
            @JsonProperty("current_offset")
                    @Schema(description = "Offset of the newest visible message, 0 when there is none.", example = "99")
                    U64 currentOffset,
            @Schema(description = "Visible messages behind the stored offset.", example = "58") U64 lag) {
        static Consumer of(OffsetService.Position position) {
            return new Consumer(
                    Integer.toUnsignedLong(position.consumer().id()),
                    position.consumer().kind().name().toLowerCase(Locale.ROOT),
                    position.partitionId(),
                    new U64(position.storedOffset()),
                    new U64(position.currentOffset()),
                    new U64(position.lag()));
        }
    }

    public static ConsumersReply of(OffsetService.Positions positions) {
        return new ConsumersReply(
                positions.positions().stream().map(Consumer::of).toList(), positions.more());
    }
}
