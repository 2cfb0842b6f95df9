// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.cluster.DecommissionReport;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;

/** What the loss of a bookie would mean. */
@Schema(
        description =
                "What the loss of a bookie would mean, by the metadata of all ledgers (messages, consumer offsets, producers) and the bookies that are alive now. How many copies there really are is told by the depth of a partition.")
public record DecommissionReply(
        @Schema(example = "10.0.0.1:3181") String id,
        @Schema(example = "true") boolean alive,
        @Schema(example = "true", description = "No stream is stranded, and no ledger has its last copies here.")
                boolean safe,
        @JsonProperty("writable_others") @Schema(example = "3", description = "Other bookies that take new ledgers.")
                int writableOthers,
        @Schema(description = "Streams that could create no ledger any more.") List<Stream> streams,
        @Schema(example = "42", description = "Ledgers with entries on it.") long ledgers,
        @JsonProperty("last_copies")
                @Schema(
                        description =
                                "Ledgers with entries that no other bookie that is alive should have; at most 1000.")
                List<LastCopies> lastCopies,
        @JsonProperty("under_replicated")
                @Schema(
                        example = "42",
                        description = "Ledgers that would have fewer than Qw copies until they are replicated.")
                long underReplicated) {

    /** A stream that needs more bookies than there would be. */
    @Schema(
            name = "StrandedStream",
            description =
                    "A stream whose E is larger than the number of bookies left, or for which their racks are too few where that is enforced.")
    public record Stream(
            @JsonProperty("stream_id") @Schema(example = "1") int streamId,
            @Schema(example = "orders") String name,
            ReplicationReply.Policy policy) {}

    /** A ledger. */
    @Schema(name = "LastCopies", description = "A ledger, and what it belongs to by its own label.")
    public record LastCopies(
            @JsonProperty("ledger_id") @Schema(example = "17") long ledgerId,
            @Schema(example = "keptlog-1-1-0-5e1a") String owner) {}

    public static DecommissionReply of(DecommissionReport report) {
        return new DecommissionReply(
                report.bookie(),
                report.alive(),
                report.safe(),
                report.writableOthers(),
                report.streams().stream()
                        .map(s -> new Stream(s.streamId(), s.name(), ReplicationReply.Policy.of(s.policy())))
                        .toList(),
                report.ledgers(),
                report.lastCopies().stream()
                        .map(l -> new LastCopies(l.ledgerId(), l.owner()))
                        .toList(),
                report.underReplicated());
    }
}
