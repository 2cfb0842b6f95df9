// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.message;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.U64;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The reply of a produce. Documents what {@code http.ConfirmationWriter} writes by hand. */
@Schema(description = "What the messages of the request have reached.")
public record Confirmations(
        List<Confirmation> confirmations,
        @JsonProperty("stored_lines")
                @JsonInclude(JsonInclude.Include.NON_NULL)
                @Schema(description = "Only for ndjson: lines stored.", example = "100000")
                @Nullable
                Long storedLines) {

    /** Where the messages are, and what that has survived. */
    @Schema(description = "Where the messages are, and what that has survived (the receipt).")
    public record Confirmation(
            @JsonProperty("stream_id") @Schema(example = "0") int streamId,
            @JsonProperty("topic_id") @Schema(example = "0") int topicId,
            @JsonProperty("partition_id") @Schema(example = "2") int partitionId,
            @JsonProperty("base_offset") @Schema(example = "40") U64 baseOffset,
            @JsonProperty("end_offset")
                    @Schema(
                            description =
                                    "Exclusive. For an idempotent producer: when the range is longer than the request,"
                                            + " it holds its messages among others; when it is shorter, it holds the last ones,"
                                            + " and those before were stored earlier.",
                            example = "42")
                    U64 endOffset,
            @Schema(description = "Level reached: replicated or persisted.", example = "persisted") String durability,
            @JsonProperty("stored_in")
                    @Schema(description = "page_cache, stable_storage or ack_quorum.", example = "stable_storage")
                    String storedIn,
            @Schema(description = "Proven copies.", example = "1") int copies,
            @Schema(description = "Boot number of the server that wrote them.", example = "7") U64 epoch,
            @JsonProperty("persisted_end_offset")
                    @Schema(description = "Everything in the partition before it is on stable storage.", example = "42")
                    U64 persistedEndOffset,
            @JsonProperty("ledger_id")
                    @JsonInclude(JsonInclude.Include.NON_NULL)
                    @Schema(description = "Only in a cluster.")
                    @Nullable
                    Long ledgerId,
            @JsonProperty("entry_id")
                    @JsonInclude(JsonInclude.Include.NON_NULL)
                    @Schema(description = "Only in a cluster.")
                    @Nullable
                    Long entryId) {}
}
