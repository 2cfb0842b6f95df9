// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Identifier;
import io.keptlog.http.dto.system.BarrierReply;
import io.keptlog.http.dto.system.ExplainReply;
import io.keptlog.http.dto.system.RecoveryReply;
import io.keptlog.service.RecoveryService;
import io.keptlog.service.message.BarrierService;
import io.keptlog.service.system.ExplainService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** What is kept, what is at risk, what was lost, and the barrier that ends the risk. */
@Tag(name = "Durability")
@RestController
class DurabilityController {
    private static final String TOPIC_PATH = "/streams/{stream_id}/topics/{topic_id}";

    private final BarrierService barriers;
    private final ExplainService explains;
    private final RecoveryService recovery;
    private final Permits permits;

    DurabilityController(BarrierService barriers, ExplainService explains, RecoveryService recovery, Permits permits) {
        this.barriers = barriers;
        this.explains = explains;
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
        return recovery.list().stream().map(RecoveryReply::of).toList();
    }
}
