// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.cluster.DepthRange;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryPlace;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How many copies there really are. */
@Schema(
        description =
                "How many copies of each message there are, as every bookie of its write set has answered. Entries of an open ledger that are younger than a bookie's time to answer are not judged.")
public record DepthReply(
        @Schema(example = "1000", description = "Entries that were asked for.") long entries,
        List<Range> ranges,
        @Schema(
                        example = "17:1000",
                        description =
                                "Value of depth_from that goes on where this ended; absent when all were asked for.")
                @JsonInclude(JsonInclude.Include.NON_NULL)
                @Nullable
                String next) {

    /** Consecutive messages. */
    @Schema(name = "DepthRange", description = "Consecutive messages whose copies are in the same state.")
    public record Range(
            @JsonProperty("from_offset") @Schema(example = "0") long fromOffset,
            @JsonProperty("to_offset") @Schema(example = "500", description = "Exclusive.") long toOffset,
            @JsonProperty("ledger_id") @Schema(example = "17") long ledgerId,
            @JsonProperty("first_entry_id") @Schema(example = "0") long firstEntryId,
            @JsonProperty("last_entry_id") @Schema(example = "499", description = "Inclusive.") long lastEntryId,
            @Schema(
                            example = "at_ack_quorum",
                            description =
                                    "full: Qw copies; below_write_quorum: fewer than Qw, more than Qa; at_ack_quorum: Qa; below_ack_quorum: fewer are proven; lost: no good copy, and all bookies have answered.")
                    String depth,
            ReplicationReply.Policy policy,
            Copies copies,
            List<Lacking> lacking) {}

    /** Numbers of copies. */
    @Schema(name = "CopyCounts", description = "Copies of each entry of the range, by what the bookies say.")
    public record Copies(
            @Schema(example = "2") int present,
            @Schema(example = "1") int absent,
            @Schema(example = "0", description = "The bookie does not answer, or cannot say.") int unreachable,
            @Schema(example = "0", description = "The digest does not fit.") int corrupt) {}

    /** A bookie without a good copy. */
    @Schema(name = "LackingBookie", description = "A bookie that should have a copy and has none that is good.")
    public record Lacking(
            @Schema(example = "10.0.0.1:3181") String bookie,
            @Schema(example = "absent", description = "absent, unreachable or corrupt.") String state) {}

    public static DepthReply of(DepthReport report) {
        EntryPlace next = report.next();
        return new DepthReply(
                report.entries(),
                report.ranges().stream().map(DepthReply::of).toList(),
                next == null ? null : next.ledgerId() + ":" + next.entryId());
    }

    static Range of(DepthRange range) {
        return new Range(
                range.fromOffset(),
                range.toOffset(),
                range.ledgerId(),
                range.firstEntry(),
                range.lastEntry(),
                range.depth().name().toLowerCase(Locale.ROOT),
                ReplicationReply.Policy.of(range.policy()),
                new Copies(range.present(), range.absent(), range.unreachable(), range.corrupt()),
                range.lacking().entrySet().stream()
                        .map(l -> new Lacking(l.getKey(), l.getValue().name().toLowerCase(Locale.ROOT)))
                        .toList());
    }
}
