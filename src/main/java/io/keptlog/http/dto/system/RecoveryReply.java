// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.KeptReport;
import io.keptlog.domain.PartitionRef;
import io.keptlog.domain.RecoveryReport;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What recovery found and did once. */
@Schema(
        description =
                "What recovery found and did. Ranges are exclusive at their end; −1 where a range does not apply.")
public record RecoveryReply(
        @Schema(description = "Counts up; never given twice.", example = "3") long id,
        @Schema(
                        description =
                                "Whether somebody should look at it: something that was promised may be lost or is out of reach,"
                                        + " and nobody has resolved it.",
                        example = "false")
                boolean open,
        @Schema(description = "When it was resolved; UTC, ISO 8601.") @Nullable String resolved,
        @Schema(description = "UTC, ISO 8601.", example = "2026-11-30T10:00:00Z") String time,
        @JsonProperty("stream_id")
                @Schema(description = "null = a journal or the data directory.", example = "0")
                @Nullable
                Integer streamId,
        @JsonProperty("topic_id") @Schema(example = "0") @Nullable Integer topicId,
        @JsonProperty("partition_id") @Schema(example = "0") @Nullable Integer partitionId,
        @Schema(example = "torn_tail") String found,
        @Schema(example = "cut") String action,
        @JsonProperty("from_offset") @Schema(example = "42") long fromOffset,
        @JsonProperty("to_offset") @Schema(example = "-1") long toOffset,
        @JsonProperty("from_position") @Schema(example = "8192") long fromPosition,
        @JsonProperty("to_position") @Schema(example = "8300") long toPosition,
        @JsonProperty("acknowledged_possible")
                @Schema(
                        description = "Whether something acknowledged as persisted may be in the range.",
                        example = "false")
                boolean acknowledgedPossible,
        @JsonProperty("quarantine_file") @Schema(description = "Where the bytes are, in the data directory.") @Nullable
                String quarantineFile,
        @Schema(description = "One sentence for people.") String detail) {
    public static RecoveryReply of(KeptReport kept) {
        RecoveryReport report = kept.report();
        Instant resolved = kept.resolved();
        PartitionRef partition = report.partition();
        return new RecoveryReply(
                kept.id(),
                kept.isOpen(),
                resolved == null ? null : resolved.toString(),
                report.time().toString(),
                partition == null ? null : partition.streamId(),
                partition == null ? null : partition.topicId(),
                partition == null ? null : partition.partitionId(),
                report.found().name().toLowerCase(Locale.ROOT),
                report.action().name().toLowerCase(Locale.ROOT),
                report.fromOffset(),
                report.toOffset(),
                report.fromPosition(),
                report.toPosition(),
                report.acknowledgedPossible(),
                report.quarantineFile(),
                report.detail());
    }
}
