// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.message;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.swagger.v3.oas.annotations.media.Schema;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The body of a produce. Documents what the produce codec reads as a stream. */
@Schema(
        description = "Messages for one partition. An unknown member here is an error; inside a message it is ignored.",
        example =
                """
                {"partitioning": {"kind": "balanced", "value": ""}, \
                "messages": [{"payload": "aGVsbG8="}, {"id": 7, "payload": "d29ybGQ="}]}""")
public record SendMessages(Partitioning partitioning, List<Message> messages) {
    /** How the partition is chosen. */
    public record Partitioning(
            @Schema(description = "balanced, partition_id or messages_key.", example = "balanced") String kind,
            @Schema(
                            type = "string",
                            format = "byte",
                            description = "Base64: empty, 4 bytes little-endian, or a key of 1 to 255 bytes.",
                            example = "")
                    String value) {}

    /** One message. */
    public record Message(
            @Schema(
                            types = {"integer", "string"},
                            description =
                                    "Up to 2^128 − 1, as number, decimal text, 32 hex digits or UUID; absent or 0 = assigned.",
                            example = "7")
                    @Nullable
                    BigInteger id,
            @Schema(type = "string", format = "byte", description = "Base64, not empty.", example = "aGVsbG8=")
                    String payload,
            @JsonProperty("user_headers") @Nullable List<UserHeader> userHeaders) {}

    /** A user header: key and value of a kind. */
    public record UserHeader(HeaderPart key, HeaderPart value) {}

    /** A key or a value. */
    public record HeaderPart(
            @Schema(
                            description = "raw, string, bool, int8 … int128, uint8 … uint128, float32, float64.",
                            example = "string")
                    String kind,
            @Schema(type = "string", format = "byte", description = "Base64, 1 to 255 bytes.", example = "ZXU=")
                    String value) {}
}
