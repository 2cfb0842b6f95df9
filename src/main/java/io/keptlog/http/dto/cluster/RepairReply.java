// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import io.keptlog.domain.cluster.RepairReport;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** What a repair has done. */
@Schema(description = "Copies that were written again, what could not be done, and what the bookies said afterwards.")
public record RepairReply(
        @Schema(example = "15", description = "Copies written again where they were missing.") long written,
        @Schema(example = "1", description = "Parts of ledgers copied in place of those on a bookie that is gone.")
                int replicated,
        @Schema(example = "[]") List<String> failures,
        @Schema(description = "The same entries, asked for again.") DepthReply depth) {
    public static RepairReply of(RepairReport report) {
        return new RepairReply(report.written(), report.replicated(), report.failures(), DepthReply.of(report.after()));
    }
}
