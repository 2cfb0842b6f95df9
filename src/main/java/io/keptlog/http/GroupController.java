// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.domain.Identifier;
import io.keptlog.http.dto.catalog.CreateGroup;
import io.keptlog.http.dto.catalog.GroupDetailsReply;
import io.keptlog.http.dto.catalog.GroupReply;
import io.keptlog.service.offset.GroupService;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Consumer groups of a topic. */
@Tag(name = "Consumer groups")
@RestController
@RequestMapping("/streams/{stream_id}/topics/{topic_id}/consumer-groups")
class GroupController {
    private final GroupService groups;
    private final Permits permits;

    GroupController(GroupService groups, Permits permits) {
        this.groups = groups;
        this.permits = permits;
    }

    @Operation(
            operationId = "listConsumerGroups",
            summary = "List a topic's consumer groups",
            description = "Needs read_topic.")
    @GetMapping
    List<GroupReply> list(@PathVariable(PathIds.STREAM) String stream, @PathVariable(PathIds.TOPIC) String topic) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.readTopic(streamId, topicId);
        return groups.list(streamId, topicId).stream().map(GroupReply::of).toList();
    }

    @Operation(
            operationId = "createConsumerGroup",
            summary = "Create a consumer group",
            description = "Needs read_topic.")
    @PostMapping
    GroupDetailsReply create(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @Valid @RequestBody CreateGroup request) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        permits.readTopic(streamId, topicId);
        return GroupDetailsReply.of(groups.create(streamId, topicId, request.name()));
    }

    @Operation(
            operationId = "getConsumerGroup",
            summary = "Get a consumer group by id or name",
            description = "Needs read_topic.")
    @GetMapping("/{group_id}")
    GroupDetailsReply get(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @PathVariable(PathIds.GROUP) String group) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        Identifier groupId = PathIds.group(group);
        permits.readTopic(streamId, topicId);
        return GroupDetailsReply.of(groups.get(streamId, topicId, groupId));
    }

    @Operation(
            operationId = "deleteConsumerGroup",
            summary = "Delete a consumer group and its offsets",
            description = "Needs read_topic.")
    @DeleteMapping("/{group_id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(
            @PathVariable(PathIds.STREAM) String stream,
            @PathVariable(PathIds.TOPIC) String topic,
            @PathVariable(PathIds.GROUP) String group) {
        Identifier streamId = PathIds.stream(stream);
        Identifier topicId = PathIds.topic(topic);
        Identifier groupId = PathIds.group(group);
        permits.readTopic(streamId, topicId);
        groups.delete(streamId, topicId, groupId);
    }
}
