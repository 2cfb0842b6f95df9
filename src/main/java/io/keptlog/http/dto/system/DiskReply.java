// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.domain.disk.DiskTruth;
import io.keptlog.domain.disk.SyncLatency;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What a look at the disk has shown. */
@Schema(
        name = "Disk",
        description =
                "What a look at the disk below the data directory has shown. No software can prove that a device keeps what it"
                        + " calls synced; it can see when that cannot be true.")
public record DiskReply(
        @Schema(description = "UTC, ISO 8601.", example = "2026-11-30T10:00:00Z") String time,
        @Schema(description = "plausible, doubtful or volatile.", example = "plausible") String verdict,
        @JsonProperty("file_system") @Schema(example = "ext4") String fileSystem,
        @JsonProperty("write_cache")
                @Schema(
                        description = "What the device says of its cache, as the kernel shows it.",
                        example = "write back")
                @Nullable
                String writeCache,
        @Nullable Sync sync,
        @JsonProperty("directory_sync") @Schema(example = "true") boolean directorySync,
        @JsonProperty("free_bytes") @Schema(description = "-1 when it is not known.", example = "80000000000")
                long freeBytes,
        List<Reason> doubts,
        @JsonProperty("took_micros") @Schema(example = "61000") long tookMicros) {
    /** How long a small write and its sync take. */
    @Schema(name = "SyncLatency", description = "How long a small write and its sync take, microseconds.")
    public record Sync(
            @Schema(example = "200") int samples,
            @JsonProperty("min_micros") @Schema(example = "80.5") double minMicros,
            @JsonProperty("p50_micros") @Schema(example = "95.1") double p50Micros,
            @JsonProperty("p99_micros") @Schema(example = "210.0") double p99Micros,
            @JsonProperty("max_micros") @Schema(example = "400.2") double maxMicros) {
        private static final double NANOS_PER_MICRO = 1_000;

        static Sync of(SyncLatency sync) {
            return new Sync(
                    sync.samples(),
                    sync.minNanos() / NANOS_PER_MICRO,
                    sync.p50Nanos() / NANOS_PER_MICRO,
                    sync.p99Nanos() / NANOS_PER_MICRO,
                    sync.maxNanos() / NANOS_PER_MICRO);
        }
    }

    /** Why the disk is doubted. */
    @Schema(name = "DiskDoubt")
    public record Reason(
            @Schema(
                            description =
                                    "volatile_file_system, container_layer, sync_too_fast, barriers_off, remote_file_system,"
                                            + " no_directory_sync, not_tried, sync_slow or little_space.",
                            example = "sync_too_fast")
                    String code,
            String reason) {}

    public static DiskReply of(DiskTruth truth) {
        SyncLatency sync = truth.sync();
        return new DiskReply(
                truth.time().toString(),
                truth.verdict().name().toLowerCase(Locale.ROOT),
                truth.fileSystem(),
                truth.writeCache(),
                sync == null ? null : Sync.of(sync),
                truth.directorySync(),
                truth.freeBytes(),
                truth.doubts().stream()
                        .map(doubt -> new Reason(doubt.code().wireName(), doubt.reason()))
                        .toList(),
                truth.tookMicros());
    }
}
