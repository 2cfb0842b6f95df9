// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.cluster.BookieSignals;
import io.keptlog.domain.cluster.BookieView;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A bookie. */
@Schema(
        description =
                "A bookie that is registered, or that ledgers miss. Members that its own metrics give are absent when it does not answer or does not say; they are a few seconds old.")
@JsonInclude(JsonInclude.Include.NON_NULL)
public record BookieReply(
        @Schema(example = "10.0.0.1:3181") String id,
        @Schema(
                        description =
                                "up, read_only or down as its own metrics say; no_answer: registered, and its metrics cannot be read; unknown: not asked yet, or it does not say; away: not registered.",
                        example = "up")
                String status,
        @Schema(description = "Whether it takes new ledgers.", example = "true") boolean writable,
        @JsonProperty("journal_sync")
                @Schema(
                        description = "synced, not_synced, or unverified when its configuration cannot be read. Only"
                                + " synced ones are given messages of persisted topics.",
                        example = "synced")
                String journalSync,
        @JsonProperty("journal_sync_p50_millis")
                @Schema(description = "Median of its journal's syncs.", example = "0.4")
                @Nullable
                Double journalSyncP50Millis,
        @JsonProperty("journal_sync_p99_millis") @Schema(example = "6.5") @Nullable Double journalSyncP99Millis,
        @JsonProperty("force_write_queue")
                @Schema(description = "Groups that wait for a sync of its journal.", example = "0")
                @Nullable
                Long forceWriteQueue,
        @JsonProperty("adds_in_progress") @Schema(description = "Entries that it works on.", example = "3") @Nullable
                Long addsInProgress,
        @JsonProperty("add_millis")
                @Schema(
                        description =
                                "Mean time from sending it an entry to its answer, of the last seconds, from the broker that answers; absent without adds.",
                        example = "1.2")
                @Nullable
                Double addMillis,
        @JsonProperty("decides_for")
                @Schema(
                        description =
                                "Streams (ids) of the broker that answers whose acknowledgements wait for this bookie: it is the Qa-th to answer in most write sets.",
                        example = "[1]")
                List<Integer> decidesFor,
        @JsonProperty("under_replicated_ledgers")
                @Schema(
                        description = "Ledgers that BookKeeper has marked because copies on this bookie are missing.",
                        example = "0")
                long underReplicatedLedgers,
        @JsonProperty("auditor_under_replicated_ledgers")
                @Schema(
                        description = "Of all bookies, as found by the auditor, when that runs beside this bookie.",
                        example = "0")
                @Nullable
                Long auditorUnderReplicatedLedgers,
        @Schema(description = "Absent when it is not configured.", example = "/rack-a") @Nullable String rack) {
    public static BookieReply of(BookieView view) {
        BookieSignals signals = view.signals();
        return new BookieReply(
                view.id(),
                signals.status().name().toLowerCase(Locale.ROOT),
                view.writable(),
                view.journalSync().name().toLowerCase(Locale.ROOT),
                signals.journalSyncMillis().get("0.5"),
                signals.journalSyncMillis().get("0.99"),
                signals.forceWriteQueue(),
                signals.addsInProgress(),
                view.addMillis(),
                view.decidesFor(),
                view.underReplicatedLedgers(),
                signals.underReplicated(),
                view.rack());
    }
}
