// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.http.dto.HumanSize;
import io.keptlog.http.dto.U64;
import io.keptlog.service.system.HostProbe;
import io.keptlog.service.system.StatsService;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.Map;

/** Everything about the server. */
@Schema(description = "The server, its machine, and what it holds. Sizes are text for people; times are microseconds.")
public record StatsReply(
        @JsonProperty("process_id") @Schema(example = "1") long processId,
        @JsonProperty("cpu_usage") @Schema(description = "Percent.", example = "12.5") double cpuUsage,
        @JsonProperty("total_cpu_usage") @Schema(description = "Percent.", example = "40.0") double totalCpuUsage,
        @JsonProperty("memory_usage") @Schema(example = "210 MB") String memoryUsage,
        @JsonProperty("total_memory") @Schema(example = "8 GB") String totalMemory,
        @JsonProperty("available_memory") @Schema(example = "5 GB") String availableMemory,
        @JsonProperty("run_time") @Schema(example = "60000000") U64 runTime,
        @JsonProperty("start_time") @Schema(example = "1796032800000000") U64 startTime,
        @JsonProperty("read_bytes") @Schema(example = "1.2 MB") String readBytes,
        @JsonProperty("written_bytes") @Schema(example = "1.2 MB") String writtenBytes,
        @JsonProperty("messages_size_bytes") @Schema(example = "1.2 MB") String messagesSizeBytes,
        @JsonProperty("streams_count") int streamsCount,
        @JsonProperty("topics_count") int topicsCount,
        @JsonProperty("partitions_count") int partitionsCount,
        @JsonProperty("segments_count") int segmentsCount,
        @JsonProperty("messages_count") U64 messagesCount,
        @JsonProperty("clients_count") int clientsCount,
        @JsonProperty("consumer_groups_count") int consumerGroupsCount,
        @Schema(example = "keptlog-1") String hostname,
        @JsonProperty("os_name") @Schema(example = "Linux") String osName,
        @JsonProperty("os_version") @Schema(example = "6.8.0") String osVersion,
        @JsonProperty("kernel_version") @Schema(example = "6.8.0") String kernelVersion,
        @JsonProperty("iggy_server_version")
                @Schema(description = "The Iggy version whose HTTP API this is.", example = "0.8.0")
                String iggyServerVersion,
        @JsonProperty("iggy_server_semver") @Schema(example = "8000") long iggyServerSemver,
        @JsonProperty("cache_metrics")
                @Schema(description = "Always empty: messages are cached by the operating system.")
                Map<String, CacheMetrics> cacheMetrics,
        @JsonProperty("threads_count") @Schema(example = "40") int threadsCount,
        @JsonProperty("free_disk_space") @Schema(example = "80 GB") String freeDiskSpace,
        @JsonProperty("total_disk_space") @Schema(example = "100 GB") String totalDiskSpace) {
    /** Iggy 0.8.0, whose HTTP API is spoken here. */
    private static final String IGGY_VERSION = "0.8.0";

    private static final long IGGY_SEMVER = 8_000;

    /** Hits and misses of a partition's cache. */
    @Schema(name = "CacheMetrics")
    public record CacheMetrics(U64 hits, U64 misses, @JsonProperty("hit_ratio") double hitRatio) {}

    public static StatsReply of(StatsService.Stats stats) {
        HostProbe.Host host = stats.host();
        StatsService.Counts counts = stats.counts();
        return new StatsReply(
                host.processId(),
                host.cpuPercent(),
                host.totalCpuPercent(),
                HumanSize.of(host.memoryBytes()),
                HumanSize.of(host.totalMemoryBytes()),
                HumanSize.of(host.availableMemoryBytes()),
                new U64(host.runTimeMicros()),
                new U64(host.startTimeMicros()),
                HumanSize.of(host.readBytes()),
                HumanSize.of(host.writtenBytes()),
                HumanSize.of(counts.messagesBytes()),
                counts.streams(),
                counts.topics(),
                counts.partitions(),
                counts.segments(),
                new U64(counts.messages()),
                counts.clients(),
                counts.groups(),
                host.hostname(),
                host.osName(),
                host.osVersion(),
                host.kernelVersion(),
                IGGY_VERSION,
                IGGY_SEMVER,
                Map.of(),
                host.threads(),
                HumanSize.of(host.freeDiskBytes()),
                HumanSize.of(host.totalDiskBytes()));
    }
}
