// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.http.dto.system.BarrierReply;
import io.keptlog.http.dto.system.DurabilityReply;
import io.keptlog.http.dto.system.ExplainReply;
import io.keptlog.http.dto.system.RecoveryReply;
import io.keptlog.service.RecoveryService;
import io.keptlog.service.message.BarrierService;
import io.keptlog.service.system.ExplainService;
import io.keptlog.service.system.ServerDurability;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What is kept, what is at risk, what was lost, and the barrier that ends the risk. */
@Tag(name = "Durability")
@RestController
class DurabilityController {
    private static final String TOPIC_PATH = "/streams/{stream_id}/topics/{topic_id}";

    private final BarrierService barriers;
    private final ExplainService explains;
    private final ServerDurability server;
    private final RecoveryService recovery;
    private final Permits permits;

    DurabilityController(
            BarrierService barriers,
            ExplainService explains,
            ServerDurability server,
            RecoveryService recovery,
            Permits permits) {
        this.barriers = barriers;
        this.explains = explains;
        this.server = server;
        this.recovery = recovery;
        this.permits = permits;
    }

    @Operation(
            operationId = "flushPartition",
            summary = "Wait until everything appended so far is on stable storage",
            description = "The barrier. Needs send_messages. Works on topics of both policies.")
    @PostMapping(TOPIC_PATH + "/partitions/{partition_id}/flush")
    BarrierReply flush(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @PathVariable(PathIds.PARTITION) String partition) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.sendMessages(streamId, topicId);
        return BarrierReply.of(barriers.flush(streamId, topicId, Unsigned.u32(partition, PathIds.PARTITION)));
    }

    @Operation(
            operationId = "explainTopic",
            summary = "Explain what each failure would do to a topic right now",
            description = "Needs read_topic.")
    @GetMapping(TOPIC_PATH + "/durability")
    ExplainReply explain(@PathVariable(PathIds.STREAM) String stream, @PathVariable(PathIds.TOPIC) String topic) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.readTopic(streamId, topicId);
        return ExplainReply.of(explains.explain(streamId, topicId));
    }

    @Operation(
            operationId = "listRecoveryReports",
            summary = "List what recovery found and did",
            description = "Needs read_servers. Oldest first; kept across restarts.")
    @GetMapping("/recovery")
    List<RecoveryReply> recovery() {
        permits.readServers();
        return recovery.kept().stream().map(RecoveryReply::of).toList();
    }

    @Operation(
            operationId = "resolveRecoveryReport",
            summary = "Remember that a recovery report is dealt with",
            description = "Needs manage_servers. It stays in the list; health no longer names it. Repeatable.")
    @PostMapping("/recovery/{report_id}/resolve")
    RecoveryReply resolve(
            @Parameter(
                            example = "3",
                            schema = @Schema(type = "integer", minimum = "0", maximum = "9223372036854775807"))
                    @PathVariable("report_id")
                    String reportId,
            @Parameter(
                            description = "true also deletes what the report has put aside.",
                            schema = @Schema(type = "boolean", defaultValue = "false"))
                    @RequestParam(name = "delete_quarantined", required = false)
                    @Nullable
                    String deleteQuarantined) {
        permits.manageServers();
        boolean delete =
                switch (deleteQuarantined) {
                    case null -> false;
                    case "false" -> false;
                    case "true" -> true;
                    default -> throw new KeptlogException(
                            ErrorCode.INVALID_COMMAND, "It is true or false.", "delete_quarantined");
                };
        return RecoveryReply.of(recovery.resolve(Unsigned.u64(reportId, "report_id"), delete));
    }

    @Operation(
            operationId = "getServerDurability",
            summary = "Show what the disk can be believed and what is at risk on the whole server",
            description = "Needs read_servers. The disk is tried again when the last try is older than a minute.")
    @GetMapping("/durability")
    DurabilityReply durability() {
        permits.readServers();
        return DurabilityReply.of(server.now());
    }
}
