// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ConsumerKey;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.http.dto.message.OffsetReply;
import io.keptlog.http.dto.message.StoreOffset;
import io.keptlog.service.offset.OffsetService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Consumer offsets. Who names no consumer is consumer 1, who names no partition means partition 0. */
@Tag(name = "Consumer offsets")
@RestController
@RequestMapping("/streams/{stream_id}/topics/{topic_id}/consumer-offsets")
class OffsetController {
    private static final String CONSUMER_ID = "consumer_id";
    private static final String CONSUMER_KIND = "consumer_kind";
    private static final Identifier DEFAULT_CONSUMER = new Identifier.Numeric(1);

    private final OffsetService offsets;
    private final Permits permits;

    OffsetController(OffsetService offsets, Permits permits) {
        this.offsets = offsets;
        this.permits = permits;
    }

    @Operation(
            operationId = "storeConsumerOffset",
            summary = "Store an offset",
            description = "Needs poll_messages. 204 says that it is kept at the topic's consumer_offset_durability."
                    + " An earlier offset rewinds.")
    @PutMapping
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void store(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @Valid @RequestBody StoreOffset request) {
        Identifier consumer = request.consumerId() == null
                ? DEFAULT_CONSUMER
                : request.consumerId().identifier();
        long partition = request.partitionId() == null ? 0 : request.partitionId();
        var place = place(stream, topic, request.consumerKind(), consumer, partition);
        offsets.store(place, request.offset().bits());
    }

    @Operation(
            operationId = "getConsumerOffset",
            summary = "Get a stored offset",
            description = "Needs poll_messages. 404 when this consumer never stored one here.")
    @GetMapping
    OffsetReply get(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @Parameter(description = "Number or name; absent = consumer 1.", example = "billing")
                    @RequestParam(name = CONSUMER_ID, required = false)
                    @Nullable
                    String consumerId,
            @Parameter(description = "consumer (default) or consumer_group.", example = "consumer")
                    @RequestParam(name = CONSUMER_KIND, required = false)
                    @Nullable
                    String consumerKind,
            @Parameter(description = "Absent = partition 0.", example = "0")
                    @RequestParam(name = PathIds.PARTITION, required = false)
                    @Nullable
                    String partitionId) {
        Identifier consumer = consumerId == null ? DEFAULT_CONSUMER : Identifier.parse(consumerId, CONSUMER_ID);
        long partition = Unsigned.u32(partitionId, PathIds.PARTITION, 0);
        return OffsetReply.of(offsets.get(place(stream, topic, consumerKind, consumer, partition)));
    }

    @Operation(
            operationId = "deleteConsumerOffset",
            summary = "Delete a stored offset",
            description = "Needs poll_messages. 204 says that the deletion is kept at the topic's"
                    + " consumer_offset_durability.")
    @DeleteMapping("/{consumer_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @PathVariable(CONSUMER_ID) String consumerId,
            @Parameter(description = "consumer (default) or consumer_group.", example = "consumer")
                    @RequestParam(name = CONSUMER_KIND, required = false)
                    @Nullable
                    String consumerKind,
            @Parameter(description = "Absent = partition 0.", example = "0")
                    @RequestParam(name = PathIds.PARTITION, required = false)
                    @Nullable
                    String partitionId) {
        long partition = Unsigned.u32(partitionId, PathIds.PARTITION, 0);
        offsets.delete(place(stream, topic, consumerKind, Identifier.parse(consumerId, CONSUMER_ID), partition));
    }

    /** All four places of a request; the caller's permission is asked for on the way. */
    private OffsetService.Place place(
            String stream, String topic, @Nullable String consumerKind, Identifier consumer, long partition) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.pollMessages(streamId, topicId);
        return new OffsetService.Place(streamId, topicId, kind(consumerKind), consumer, partition);
    }

    private static ConsumerKey.Kind kind(@Nullable String text) {
        return switch (text) {
            case null -> ConsumerKey.Kind.CONSUMER;
            case "consumer" -> ConsumerKey.Kind.CONSUMER;
            case "consumer_group" -> ConsumerKey.Kind.CONSUMER_GROUP;
            default -> throw new KeptlogException(
                    ErrorCode.INVALID_COMMAND, "A consumer's kind is consumer or consumer_group.", CONSUMER_KIND);
        };
    }
}
