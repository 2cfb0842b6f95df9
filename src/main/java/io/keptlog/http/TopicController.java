// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Identifier;
import io.keptlog.http.dto.catalog.CreateTopic;
import io.keptlog.http.dto.catalog.TopicDetailsReply;
import io.keptlog.http.dto.catalog.TopicReply;
import io.keptlog.http.dto.catalog.UpdateTopic;
import io.keptlog.service.catalog.PartitionService;
import io.keptlog.service.catalog.TopicService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Topics of a stream. */
@Tag(name = "Topics")
@RestController
@RequestMapping("/streams/{stream_id}/topics")
class TopicController {
    private final TopicService topics;
    private final PartitionService partitions;
    private final Permits permits;

    TopicController(TopicService topics, PartitionService partitions, Permits permits) {
        this.topics = topics;
        this.partitions = partitions;
        this.permits = permits;
    }

    @Operation(operationId = "listTopics", summary = "List the topics of a stream", description = "Needs read_topics.")
    @GetMapping
    List<TopicReply> list(@PathVariable(PathIds.STREAM) String stream) {
        Identifier id = PathIds.stream(stream);
        permits.readTopics(id);
        return topics.list(id).stream().map(TopicReply::of).toList();
    }

    @Operation(
            operationId = "createTopic",
            summary = "Create a topic",
            description = "Needs manage_topics. Its durability and its other storage options are chosen here and kept;"
                    + " the reply lists all of them. Durable and usable when it is answered.")
    @PostMapping
    TopicDetailsReply create(@PathVariable(PathIds.STREAM) String stream, @Valid @RequestBody CreateTopic request) {
        Identifier id = PathIds.stream(stream);
        permits.createTopic(id);
        return TopicDetailsReply.of(topics.create(id, request.name(), request.partitionsCount(), request.settings()));
    }

    @Operation(operationId = "getTopic", summary = "Get a topic by id or name", description = "Needs read_topic.")
    @GetMapping("/{topic_id}")
    TopicDetailsReply get(@PathVariable(PathIds.STREAM) String stream, @PathVariable(PathIds.TOPIC) String topic) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.readTopic(streamId, topicId);
        return TopicDetailsReply.of(topics.get(streamId, topicId));
    }

    @Operation(
            operationId = "updateTopic",
            summary = "Change a topic's name, compression, expiry or size limit",
            description =
                    "Needs manage_topic. What is absent stays; a create-only option is refused and nothing changes.")
    @PutMapping("/{topic_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void update(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @Valid @RequestBody UpdateTopic request) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.manageTopic(streamId, topicId);
        topics.update(streamId, topicId, request.name(), request.settings());
    }

    @Operation(
            operationId = "deleteTopic",
            summary = "Delete a topic",
            description = "Needs manage_topic. Durable when it is answered; disk space returns in the background.")
    @DeleteMapping("/{topic_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable(PathIds.STREAM) String stream, @PathVariable(PathIds.TOPIC) String topic) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.manageTopic(streamId, topicId);
        topics.delete(streamId, topicId);
    }

    @Operation(
            operationId = "purgeTopic",
            summary = "Empty a topic",
            description = "Needs manage_topic. Messages and stored offsets are gone, offsets begin at 0 again.")
    @DeleteMapping("/{topic_id}/purge")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void purge(@PathVariable(PathIds.STREAM) String stream, @PathVariable(PathIds.TOPIC) String topic) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.manageTopic(streamId, topicId);
        partitions.purgeTopic(streamId, topicId);
    }
}
