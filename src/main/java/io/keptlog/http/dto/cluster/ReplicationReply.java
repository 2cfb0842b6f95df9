// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.QuorumPolicy;
import io.keptlog.domain.cluster.DepthReport;
import io.keptlog.domain.cluster.EntryReplication;
import io.keptlog.domain.cluster.LedgerReplication;
import io.keptlog.domain.cluster.PartitionReplication;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a partition's messages are kept. */
@Schema(
        description =
                "The policy for the next ledger, every ledger with the policy it was made with, and the bookies of single entries.")
public record ReplicationReply(
        @JsonProperty("partition_id") @Schema(example = "0") int partitionId,
        Policy policy,
        List<Ledger> ledgers,
        List<Entry> entries,
        @Schema(
                        description =
                                "What the owner has seen of the copies in the background; absent when it cannot be asked.")
                @JsonInclude(JsonInclude.Include.NON_NULL)
                @Nullable
                KeptDepthReply kept,
        @Schema(description = "Only when it was asked for.") @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
                DepthReply depth) {

    /** E, Qw and Qa. */
    @Schema(name = "QuorumPolicy", description = "Ensemble size, write quorum, ack quorum.")
    public record Policy(
            @JsonProperty("ensemble_size") @Schema(example = "3") int ensembleSize,
            @JsonProperty("write_quorum") @Schema(example = "3") int writeQuorum,
            @JsonProperty("ack_quorum") @Schema(example = "2") int ackQuorum) {
        static Policy of(QuorumPolicy policy) {
            return new Policy(policy.ensembleSize(), policy.writeQuorum(), policy.ackQuorum());
        }
    }

    /** Bookies from an entry on. */
    @Schema(name = "LedgerEnsemble", description = "The bookies of a ledger from an entry on.")
    public record Ensemble(
            @JsonProperty("first_entry_id") @Schema(example = "0") long firstEntryId,
            @Schema(example = "[\"10.0.0.1:3181\"]") List<String> bookies) {}

    /** A ledger. */
    @Schema(name = "Ledger", description = "One ledger; open while it takes messages.")
    public record Ledger(
            @JsonProperty("ledger_id") @Schema(example = "17") long ledgerId,
            @Schema(description = "Absent when the ledger is missing.")
                    @JsonInclude(JsonInclude.Include.NON_NULL)
                    @Nullable
                    Policy policy,
            @Schema(example = "42") long entries,
            @Schema(example = "true") boolean open,
            @Schema(example = "false", description = "BookKeeper does not know the ledger: its entries are lost.")
                    boolean missing,
            List<Ensemble> ensembles) {
        static Ledger of(LedgerReplication ledger) {
            return new Ledger(
                    ledger.ledgerId(),
                    ledger.policy() == null ? null : Policy.of(ledger.policy()),
                    ledger.entries(),
                    ledger.open(),
                    ledger.policy() == null,
                    ledger.ensembles().entrySet().stream()
                            .map(e -> new Ensemble(e.getKey(), e.getValue()))
                            .toList());
        }
    }

    /** An entry. */
    @Schema(
            name = "LedgerEntry",
            description = "One entry and the bookies it was written to: those at entry_id mod E and after it.")
    public record Entry(
            @JsonProperty("ledger_id") @Schema(example = "17") long ledgerId,
            @JsonProperty("entry_id") @Schema(example = "0") long entryId,
            @Schema(example = "[\"10.0.0.1:3181\"]") List<String> bookies) {
        static Entry of(EntryReplication entry) {
            return new Entry(entry.ledgerId(), entry.entryId(), entry.bookies());
        }
    }

    public static ReplicationReply of(int partitionId, PartitionReplication replication, @Nullable DepthReport depth) {
        return new ReplicationReply(
                partitionId,
                Policy.of(replication.policy()),
                replication.ledgers().stream().map(Ledger::of).toList(),
                replication.entries().stream().map(Entry::of).toList(),
                replication.kept() == null ? null : KeptDepthReply.of(replication.kept()),
                depth == null ? null : DepthReply.of(depth));
    }
}
