// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Identifier;
import io.keptlog.http.dto.catalog.CreatePartitions;
import io.keptlog.service.catalog.PartitionService;
import io.keptlog.service.retention.RetentionService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Partitions of a topic, and their oldest segments. */
@Tag(name = "Partitions")
@RestController
@RequestMapping("/streams/{stream_id}/topics/{topic_id}/partitions")
class PartitionController {
    private final PartitionService partitions;
    private final RetentionService retention;
    private final Permits permits;

    PartitionController(PartitionService partitions, RetentionService retention, Permits permits) {
        this.partitions = partitions;
        this.retention = retention;
        this.permits = permits;
    }

    @Operation(
            operationId = "createPartitions",
            summary = "Add partitions",
            description = "Needs manage_topic. Keys are spread over all partitions, so a key may move.")
    @PostMapping
    void add(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @Valid @RequestBody CreatePartitions request) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.manageTopic(streamId, topicId);
        partitions.add(streamId, topicId, request.partitionsCount());
    }

    @Operation(
            operationId = "deletePartitions",
            summary = "Remove the last partitions",
            description = "Needs manage_topic. Their messages and offsets are gone when it is answered.")
    @DeleteMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void remove(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @Parameter(description = "1 to 1000.", example = "1") @RequestParam("partitions_count") String count) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.manageTopic(streamId, topicId);
        partitions.remove(streamId, topicId, Unsigned.u32(count, "partitions_count"));
    }

    @Operation(
            operationId = "deleteSegments",
            summary = "Delete a partition's oldest segments",
            description = "Needs manage_topic. Sealed segments only, and only as far as every stored offset has come;"
                    + " offsets of messages do not change.")
    @DeleteMapping("/{partition_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteSegments(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @PathVariable(PathIds.PARTITION) String partition,
            @Parameter(example = "1") @RequestParam("segments_count") String count) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.manageTopic(streamId, topicId);
        retention.deleteOldest(
                streamId, topicId, Unsigned.u32(partition, PathIds.PARTITION), Unsigned.u32(count, "segments_count"));
    }
}
