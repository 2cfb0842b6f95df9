// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.KeptlogException;
import io.keptlog.http.dto.system.SnapshotRequest;
import io.keptlog.service.system.SnapshotService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import java.io.IOException;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** One file with everything that helps to find a fault. */
@Tag(name = "System")
@RestController
class SnapshotController {
    private static final String ZIP = "application/zip";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final SnapshotService snapshots;
    private final InstantSource clock;
    private final Permits permits;

    SnapshotController(SnapshotService snapshots, InstantSource clock, Permits permits) {
        this.snapshots = snapshots;
        this.clock = clock;
        this.permits = permits;
    }

    @Operation(
            operationId = "takeSnapshot",
            summary = "Take a snapshot for fault finding",
            description = "Needs read_servers. A zip with settings without secrets, the newest log lines, recovery"
                    + " reports, threads, and the names and sizes of files. It holds no messages.",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "The snapshot.",
                            content = @Content(mediaType = ZIP, schema = @Schema(type = "string", format = "binary"))))
    @PostMapping("/snapshot")
    void snapshot(@Valid @RequestBody SnapshotRequest request, HttpServletResponse response) throws IOException {
        permits.readServers();
        if (request.contents().isEmpty()) {
            throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "Name what the snapshot shall hold.", "snapshot_types");
        }
        response.setContentType(ZIP);
        response.setHeader(
                HttpHeaders.CONTENT_DISPOSITION,
                "attachment; filename=\"keptlog_snapshot_" + TIME.format(clock.instant()) + ".zip\"");
        snapshots.write(request.contents(), request.deflated(), response.getOutputStream());
    }
}
