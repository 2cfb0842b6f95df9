// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.AtRisk;
import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.http.dto.U64;
import io.keptlog.service.system.ExplainService;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A topic's durability, failure by failure. */
@Schema(
        description =
                "What each failure would do to the topic's acknowledged messages, and how much is at risk right now.")
public record ExplainReply(
        @Schema(example = "replicated") String durability,
        @JsonProperty("consumer_offset_durability") @Schema(example = "replicated") String consumerOffsetDurability,
        List<Failure> failures,
        List<Partition> partitions,
        @Schema(
                        description =
                                "What the disk can be believed; null where the server keeps nothing on a disk of its own.")
                @Nullable
                Device device) {
    /** The disk in two words. */
    @Schema(name = "DiskVerdict")
    public record Device(
            @Schema(description = "plausible, doubtful or volatile; GET /durability says why.", example = "plausible")
                    String verdict,
            @Schema(example = "[]") List<String> doubts) {
        static Device of(DiskTruth truth) {
            return new Device(
                    truth.verdict().name().toLowerCase(Locale.ROOT),
                    truth.doubts().stream()
                            .map(doubt -> doubt.code().wireName())
                            .toList());
        }
    }

    /** One failure. */
    @Schema(name = "FailureVerdict")
    public record Failure(
            @Schema(description = "process_crash, power_loss or device_loss.", example = "power_loss") String failure,
            @Schema(description = "kept, may_be_lost or lost.", example = "may_be_lost") String verdict,
            @JsonProperty("at_risk") Risk atRisk) {}

    /** One partition. */
    @Schema(name = "PartitionDurability")
    public record Partition(
            @JsonProperty("partition_id") @Schema(example = "0") int partitionId,
            @JsonProperty("end_offset") @Schema(example = "42") U64 endOffset,
            @JsonProperty("persisted_end_offset") @Schema(example = "40") U64 persistedEndOffset,
            @JsonProperty("at_risk") Risk atRisk,
            @Schema(
                            description =
                                    "open, fenced, damaged, read_only, closed, or unavailable when no broker of a cluster can say.",
                            example = "open")
                    String state) {}

    /** An amount. */
    @Schema(name = "AtRisk")
    public record Risk(
            @Schema(example = "2") long messages,
            @Schema(example = "512") long bytes,
            @JsonProperty("age_millis") @Schema(example = "130") long ageMillis) {
        static Risk of(AtRisk risk) {
            return new Risk(risk.messages(), risk.bytes(), risk.ageMillis());
        }
    }

    public static ExplainReply of(ExplainService.Explanation explanation) {
        return new ExplainReply(
                explanation.durability().wireName(),
                explanation.consumerOffsetDurability().wireName(),
                explanation.failures().stream()
                        .map(f -> new Failure(
                                f.failure(), f.verdict().name().toLowerCase(Locale.ROOT), Risk.of(f.atRisk())))
                        .toList(),
                explanation.partitions().stream()
                        .map(p -> new Partition(
                                p.partitionId(),
                                new U64(p.endOffset()),
                                new U64(p.persistedEndOffset()),
                                Risk.of(p.atRisk()),
                                p.state()))
                        .toList(),
                explanation.disk().map(Device::of).orElse(null));
    }
}
