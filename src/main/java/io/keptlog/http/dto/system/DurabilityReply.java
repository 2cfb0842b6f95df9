// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.service.system.ServerDurability;
import io.swagger.v3.oas.annotations.media.Schema;
import org.jspecify.annotations.Nullable;

/** The durability of the whole server. */
@Schema(
        name = "ServerDurability",
        description =
                "What the disk can be believed, what a power cut could take now, and what recovery has left to look at.")
public record DurabilityReply(
        @Schema(description = "null where the server keeps nothing on a disk of its own.") @Nullable DiskReply disk,
        @JsonProperty("at_risk") @Schema(description = "What a power cut could take now, over all partitions.")
                ExplainReply.Risk atRisk,
        @Schema(example = "12") int partitions,
        @Schema(description = "Partitions that are fenced, damaged or read-only.", example = "0") int faults,
        @JsonProperty("open_reports") @Schema(description = "Recovery reports that nobody has resolved.", example = "0")
                int openReports,
        @JsonProperty("quarantine_bytes")
                @Schema(description = "What recovery has put aside; -1 when it cannot be told.", example = "0")
                long quarantineBytes) {
    public static DurabilityReply of(ServerDurability.Now now) {
        return new DurabilityReply(
                now.disk().map(DiskReply::of).orElse(null),
                ExplainReply.Risk.of(now.atRisk()),
                now.partitions(),
                now.faults(),
                now.openReports(),
                now.quarantineBytes());
    }
}
