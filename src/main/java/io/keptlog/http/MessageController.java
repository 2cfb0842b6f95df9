// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.http.dto.message.Confirmations;
import io.keptlog.http.dto.message.PolledMessages;
import io.keptlog.http.dto.message.SendMessages;
import io.keptlog.service.message.BarrierService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.Parameters;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.headers.Header;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Produce and poll. */
@Tag(name = "Messages")
@RestController
@RequestMapping(MessageController.PATH)
class MessageController {
    static final String PATH = "/streams/{stream_id}/topics/{topic_id}/messages";

    private final ProduceExchange produce;
    private final PollExchange poll;
    private final BarrierService barriers;
    private final Permits permits;

    MessageController(ProduceExchange produce, PollExchange poll, BarrierService barriers, Permits permits) {
        this.produce = produce;
        this.poll = poll;
        this.barriers = barriers;
        this.permits = permits;
    }

    @Operation(
            operationId = "sendMessages",
            summary = "Send messages",
            description = "Needs send_messages. 201 says that the topic's durability is met; 202 (ack=none) says only"
                    + " that the messages are appended, in order. As application/octet-stream the body is one message;"
                    + " as application/x-ndjson each line is one message, verbatim.",
            parameters = {
                @Parameter(name = PathIds.STREAM, in = ParameterIn.PATH, schema = @Schema(type = "string")),
                @Parameter(name = PathIds.TOPIC, in = ParameterIn.PATH, schema = @Schema(type = "string")),
                @Parameter(
                        name = "ack",
                        in = ParameterIn.QUERY,
                        schema =
                                @Schema(
                                        type = "string",
                                        allowableValues = {"replicated", "none"}),
                        description = "replicated (default) or none."),
                @Parameter(
                        name = "Keptlog-Durability",
                        in = ParameterIn.HEADER,
                        schema =
                                @Schema(
                                        type = "string",
                                        allowableValues = {"replicated", "persisted"}),
                        description = "persisted raises this write above its topic's policy."),
                @Parameter(
                        name = "Keptlog-Key",
                        in = ParameterIn.HEADER,
                        description = "Octet-stream and ndjson: the key that chooses the partition."),
                @Parameter(
                        name = "Keptlog-Partition",
                        in = ParameterIn.HEADER,
                        description = "Octet-stream and ndjson: the partition."),
                @Parameter(
                        name = "Keptlog-Message-Id",
                        in = ParameterIn.HEADER,
                        description = "Octet-stream: the message's id."),
                @Parameter(
                        name = ProducerHeaders.ID,
                        in = ParameterIn.HEADER,
                        schema = @Schema(type = "integer", minimum = "1"),
                        description = "Makes a retry safe: a producer's own number, chosen at random. Comes with epoch"
                                + " and sequence, and with a partition or a key."),
                @Parameter(
                        name = ProducerHeaders.EPOCH,
                        in = ParameterIn.HEADER,
                        schema = @Schema(type = "integer", minimum = "0", maximum = "4294967295"),
                        description = "Raised when the producer starts anew: then any sequence may come first, and the"
                                + " epochs before are refused."),
                @Parameter(
                        name = ProducerHeaders.SEQUENCE,
                        in = ParameterIn.HEADER,
                        schema = @Schema(type = "integer", minimum = "0"),
                        description = "Number of the request's first message in its partition; the others count on.")
            },
            requestBody =
                    @RequestBody(
                            required = true,
                            content = {
                                @Content(
                                        mediaType = "application/json",
                                        schema = @Schema(implementation = SendMessages.class)),
                                @Content(
                                        mediaType = "application/octet-stream",
                                        schema = @Schema(type = "string", format = "binary")),
                                @Content(
                                        mediaType = "application/x-ndjson",
                                        schema = @Schema(type = "string"),
                                        examples = @ExampleObject("{\"level\": \"info\"}\n{\"level\": \"warn\"}\n"))
                            }),
            responses = {
                @ApiResponse(
                        responseCode = "201",
                        description = "Stored, and as durable as Iggy-Durability says.",
                        headers = @Header(name = "Iggy-Durability", description = "replicated or persisted."),
                        content =
                                @Content(
                                        mediaType = "application/json",
                                        schema = @Schema(implementation = Confirmations.class))),
                @ApiResponse(
                        responseCode = "200",
                        description = "An idempotent producer's messages were all stored before: their first"
                                + " confirmation, once it is as durable as Iggy-Durability says.",
                        headers = @Header(name = "Iggy-Durability", description = "replicated or persisted."),
                        content =
                                @Content(
                                        mediaType = "application/json",
                                        schema = @Schema(implementation = Confirmations.class))),
                @ApiResponse(
                        responseCode = "409",
                        description = "sequence_gap: expected_sequence is the next one. producer_fenced: a newer epoch"
                                + " has written. Nothing was stored."),
                @ApiResponse(
                        responseCode = "202",
                        description = "Appended; nothing was waited for.",
                        headers = @Header(name = "Iggy-Durability", description = "none."),
                        content = @Content)
            })
    @PostMapping
    void send(HttpServletRequest request, HttpServletResponse response)
            throws IOException, HttpMediaTypeNotSupportedException {
        Identifier streamId = PathIds.stream(request);
        Identifier topicId = PathIds.topic(request);
        permits.sendMessages(streamId, topicId);
        produce.serve(streamId, topicId, request, response);
    }

    @Operation(
            operationId = "pollMessages",
            summary = "Poll messages",
            description = "Needs poll_messages. Accept: application/octet-stream answers the payloads alone, each"
                    + " followed by LF. Accept: text/event-stream is a stream of server-sent events that goes on with"
                    + " what is appended: each message is an event whose id is its offset and whose data is an element"
                    + " of messages; besides them there are the events gap, heartbeat and end.",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "The messages, possibly none.",
                            content = {
                                @Content(
                                        mediaType = "application/json",
                                        schema = @Schema(implementation = PolledMessages.class)),
                                @Content(
                                        mediaType = "application/octet-stream",
                                        schema = @Schema(type = "string", format = "binary")),
                                @Content(
                                        mediaType = "text/event-stream",
                                        schema = @Schema(type = "string"),
                                        examples = @ExampleObject("id: 41\ndata: {\"header\":{\"checksum\":1,\"id\":7,"
                                                        + "\"offset\":41,\"timestamp\":1796032800000000,"
                                                        + "\"origin_timestamp\":1796032800000000,"
                                                        + "\"user_headers_length\":0,\"payload_length\":5,"
                                                        + "\"reserved\":0},\"payload\":\"aGVsbG8=\","
                                                        + "\"user_headers\":[]}\n\n"
                                                        + "event: heartbeat\ndata: {\"partition_id\":0,"
                                                        + "\"current_offset\":41,\"next_offset\":42,"
                                                        + "\"epoch\":7}\n\n"))
                            }))
    @Parameters({
        @Parameter(name = PathIds.STREAM, in = ParameterIn.PATH, schema = @Schema(type = "string")),
        @Parameter(name = PathIds.TOPIC, in = ParameterIn.PATH, schema = @Schema(type = "string")),
        @Parameter(name = "consumer_id", in = ParameterIn.QUERY, description = "Number or name; default 1."),
        @Parameter(
                name = "partition_id",
                in = ParameterIn.QUERY,
                schema = @Schema(type = "integer", minimum = "0", maximum = "4294967295"),
                description = "Default 0."),
        @Parameter(
                name = "kind",
                in = ParameterIn.QUERY,
                schema =
                        @Schema(
                                type = "string",
                                allowableValues = {"offset", "timestamp", "first", "last", "next"}),
                description = "Where to start: offset (default), timestamp, first, last or next."),
        @Parameter(
                name = "value",
                in = ParameterIn.QUERY,
                schema = @Schema(type = "integer", minimum = "0"),
                description = "Offset, or microseconds since the epoch. Default 0."),
        @Parameter(
                name = "count",
                in = ParameterIn.QUERY,
                schema = @Schema(type = "integer", minimum = "1", maximum = "4294967295"),
                description = "Default 10. A stream takes it with kind=last only, where 0 is what comes from now on."),
        @Parameter(
                name = "auto_commit",
                in = ParameterIn.QUERY,
                schema = @Schema(type = "boolean"),
                description = "Whether the last offset is stored along the way; proves nothing. Default false."),
        @Parameter(
                name = "visibility",
                in = ParameterIn.QUERY,
                schema =
                        @Schema(
                                type = "string",
                                allowableValues = {"topic", "persisted"}),
                description = "persisted shows only what a power cut can no longer take back."),
        @Parameter(
                name = "epoch",
                in = ParameterIn.QUERY,
                schema = @Schema(type = "integer", minimum = "0"),
                description =
                        "The epoch of the last reply that the reader has seen. When a recovery has taken messages that"
                                + " it saw, the reply begins where they were and has a gap with the reason recovery."),
        @Parameter(
                name = "wait",
                in = ParameterIn.QUERY,
                example = "200ms",
                description =
                        "How long a poll that finds nothing may wait for messages: microseconds, or a time such as"
                                + " 500ms or 5s, at most 60s. Default 0. A stream waits by itself."),
        @Parameter(
                name = "ids",
                in = ParameterIn.QUERY,
                schema =
                        @Schema(
                                type = "string",
                                allowableValues = {"offset", "epoch"}),
                description = "Of a stream's events: offset (default), or epoch for offset@epoch. Such a reader is also"
                        + " told, when it resumes, of messages that a recovery has taken after it saw them."),
        @Parameter(
                name = "Last-Event-ID",
                in = ParameterIn.HEADER,
                description = "The id of the last event that a reader of a stream has: it goes on after that, whatever"
                        + " kind and value say. Browsers send it by themselves.")
    })
    @GetMapping
    void poll(HttpServletRequest request, HttpServletResponse response)
            throws IOException, HttpMediaTypeNotAcceptableException {
        Identifier streamId = PathIds.stream(request);
        Identifier topicId = PathIds.topic(request);
        permits.pollMessages(streamId, topicId);
        poll.serve(streamId, topicId, () -> permits.pollMessages(streamId, topicId), request, response);
    }

    @Operation(
            operationId = "flushMessages",
            summary = "Flush a partition, as older clients do",
            description = "Needs send_messages. With true it is the barrier; with false there is nothing to do, because"
                    + " messages are with the operating system already. The last segment may be written fsync=true.")
    @GetMapping("/flush/{partition_id}/{fsync}")
    void flush(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @PathVariable(PathIds.PARTITION) String partition,
            @Parameter(example = "true") @PathVariable("fsync") String fsync) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.sendMessages(streamId, topicId);
        long partitionId = Unsigned.u32(partition, PathIds.PARTITION);
        switch (fsync) {
            case "true", "fsync=true" -> barriers.flush(streamId, topicId, partitionId);
            case "false", "fsync=false" -> barriers.check(streamId, topicId, partitionId);
            default -> throw new KeptlogException(ErrorCode.INVALID_COMMAND, "It is true or false.", "fsync");
        }
    }
}
