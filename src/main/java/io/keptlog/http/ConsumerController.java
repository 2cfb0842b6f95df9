// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Identifier;
import io.keptlog.http.dto.message.ConsumersReply;
import io.keptlog.service.offset.OffsetService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Who reads a topic, and how far behind. */
@Tag(name = "Consumer offsets")
@RestController
class ConsumerController {
    private final OffsetService offsets;
    private final Permits permits;

    ConsumerController(OffsetService offsets, Permits permits) {
        this.offsets = offsets;
        this.permits = permits;
    }

    @Operation(
            operationId = "listConsumers",
            summary = "List how far each consumer of a topic has come",
            description = "Needs read_topic. Everybody who has a stored offset, with how many messages are behind it.")
    @GetMapping("/streams/{stream_id}/topics/{topic_id}/consumers")
    ConsumersReply list(@PathVariable(PathIds.STREAM) String stream, @PathVariable(PathIds.TOPIC) String topic) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.readTopic(streamId, topicId);
        return ConsumersReply.of(offsets.list(streamId, topicId));
    }
}
