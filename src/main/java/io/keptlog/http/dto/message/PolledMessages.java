// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.message;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.U64;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reply of a poll. Documents what the poll writer writes from stored bytes. */
@Schema(description = "Consecutive messages of one partition.")
public record PolledMessages(
        @JsonProperty("partition_id") @Schema(example = "0") int partitionId,
        @JsonProperty("current_offset")
                @Schema(description = "Offset of the newest visible message, 0 when there is none.", example = "41")
                U64 currentOffset,
        @Schema(example = "1") int count,
        List<Message> messages,
        @Schema(description = "Boot number of the server, so that a reader that resumes can tell.", example = "7")
                U64 epoch,
        @Schema(description = "Only when the wanted start is no longer there.") @Nullable Gap gap) {
    /** One message. */
    @Schema(name = "PolledMessage")
    public record Message(
            Header header,
            @Schema(type = "string", format = "byte", description = "Base64.", example = "aGVsbG8=") String payload,
            @JsonProperty("user_headers") @Schema(description = "As sent; [] when there are none.")
                    List<SendMessages.UserHeader> userHeaders) {}

    /** What is known about a message. */
    @Schema(name = "MessageHeader")
    public record Header(
            U64 checksum,
            @Schema(types = "integer", format = "uint128", description = "Up to 2^128 − 1.", example = "7")
                    BigInteger id,
            @Schema(example = "41") U64 offset,
            @Schema(description = "Append time, microseconds since the epoch.", example = "1796032800000000")
                    U64 timestamp,
            @JsonProperty("origin_timestamp") @Schema(example = "1796032800000000") U64 originTimestamp,
            @JsonProperty("user_headers_length") @Schema(example = "0") int userHeadersLength,
            @JsonProperty("payload_length") @Schema(example = "5") int payloadLength,
            @Schema(example = "0") int reserved) {}

    /** Offsets that are no longer there. */
    @Schema(name = "Gap")
    public record Gap(
            @JsonProperty("from_offset") @Schema(example = "0") U64 fromOffset,
            @JsonProperty("to_offset") @Schema(description = "Exclusive: reading goes on here.", example = "40")
                    U64 toOffset,
            @Schema(description = "retention, deletion, recovery or damage.", example = "retention") String reason) {}
}
