// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.service.system.SnapshotService.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a snapshot shall hold. */
@Schema(description = "What a snapshot shall hold.")
public record SnapshotRequest(
        @Schema(
                        description =
                                "Stored leaves the files as they are; every other value is written as Deflated, which all"
                                        + " programs read. Absent = Deflated.",
                        example = "Deflated")
                @Nullable
                Method compression,
        @JsonProperty("snapshot_types") @Schema(description = "Absent = All.", example = "[\"All\"]") @Nullable
                List<Type> snapshotTypes) {
    /** Iggy's compressions of snapshots. */
    public enum Method {
        @JsonProperty("Stored")
        STORED,
        @JsonProperty("Deflated")
        DEFLATED,
        @JsonProperty("Bzip2")
        BZIP2,
        @JsonProperty("Zstd")
        ZSTD,
        @JsonProperty("Lzma")
        LZMA,
        @JsonProperty("Xz")
        XZ
    }

    /** Iggy's types of snapshots. */
    public enum Type {
        @JsonProperty("FilesystemOverview")
        FILESYSTEM_OVERVIEW,
        @JsonProperty("ProcessList")
        PROCESS_LIST,
        @JsonProperty("ResourceUsage")
        RESOURCE_USAGE,
        @JsonProperty("Test")
        TEST,
        @JsonProperty("ServerLogs")
        SERVER_LOGS,
        @JsonProperty("ServerConfig")
        SERVER_CONFIG,
        @JsonProperty("All")
        ALL
    }

    public SnapshotRequest {
        snapshotTypes = snapshotTypes == null ? null : List.copyOf(snapshotTypes);
    }

    public boolean deflated() {
        return compression != Method.STORED;
    }

    public Set<Content> contents() {
        var contents = EnumSet.noneOf(Content.class);
        if (snapshotTypes == null || snapshotTypes.contains(Type.ALL)) {
            return EnumSet.allOf(Content.class);
        }
        snapshotTypes.forEach(type -> contents.add(Content.valueOf(type.name())));
        return contents;
    }
}
