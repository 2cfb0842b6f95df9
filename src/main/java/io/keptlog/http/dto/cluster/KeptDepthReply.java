// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.cluster.DepthCounts;
import io.keptlog.domain.cluster.KeptDepth;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the owner knows of a partition's copies. */
@Schema(
        name = "KeptDepth",
        description =
                "What the partition's owner has seen of its copies in the background; with guarantee_write_quorum it completes what is missing. Nobody is asked anew.")
public record KeptDepthReply(
        @Schema(example = "true", description = "The stream's guarantee_write_quorum.") boolean guaranteed,
        Counts messages,
        @Schema(description = "Messages with fewer than Qw copies when they were looked at last; the first 100 ranges.")
                List<DepthReply.Range> ranges,
        @Schema(example = "[]", description = "Why they could not be completed yet.") List<String> failures,
        @Schema(example = "15", description = "Copies written again since the owner has the partition.") long written,
        @JsonProperty("looked_at")
                @Schema(example = "2026-11-30T12:00:00Z", description = "When a look was finished; absent before.")
                @JsonInclude(JsonInclude.Include.NON_NULL)
                @Nullable
                String lookedAt) {

    /** Messages. */
    @Schema(name = "DepthCounts", description = "Messages by how many copies were found.")
    public record Counts(
            @Schema(example = "1000", description = "Messages whose copies were asked for.") long audited,
            @JsonProperty("below_write_quorum")
                    @Schema(example = "0", description = "Fewer than Qw copies: all that follow are among them.")
                    long belowWriteQuorum,
            @JsonProperty("at_ack_quorum") @Schema(example = "0", description = "Qa copies.") long atAckQuorum,
            @JsonProperty("below_ack_quorum")
                    @Schema(example = "0", description = "Fewer than Qa are proven: bookies do not answer.")
                    long belowAckQuorum,
            @Schema(example = "0", description = "No bookie has a good copy.") long lost) {
        static Counts of(DepthCounts counts) {
            return new Counts(
                    counts.messages(),
                    counts.belowWriteQuorum(),
                    counts.atAckQuorum(),
                    counts.belowAckQuorum(),
                    counts.lost());
        }
    }

    static KeptDepthReply of(KeptDepth kept) {
        Instant lookedAt = kept.lookedAt();
        return new KeptDepthReply(
                kept.guaranteed(),
                Counts.of(kept.counts()),
                kept.ranges().stream().map(DepthReply::of).toList(),
                kept.failures(),
                kept.written(),
                lookedAt == null ? null : lookedAt.toString());
    }
}
