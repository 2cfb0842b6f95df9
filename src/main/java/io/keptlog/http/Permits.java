// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import io.keptlog.access.Guard;
import io.keptlog.domain.Identifier;
import io.keptlog.service.catalog.Directory;
import org.springframework.stereotype.Component;

/**
 * Asks the guard about what a path names. Comes before every look at what is there: an absent resource that the caller may not see
 * answers 403, not 404 (Iggy HTTP API §5).
 */
@Component
class Permits {
    private final Guard guard;
    private final Directory directory;

    Permits(Guard guard, Directory directory) {
        this.guard = guard;
        this.directory = directory;
    }

    void readStreams() {
        guard.readStreams();
    }

    void createStream() {
        guard.createStream();
    }

    void readStream(Identifier stream) {
        guard.readStream(directory.stream(stream));
    }

    void manageStream(Identifier stream) {
        guard.manageStream(directory.stream(stream));
    }

    void readTopics(Identifier stream) {
        guard.readTopics(directory.stream(stream));
    }

    void createTopic(Identifier stream) {
        guard.createTopic(directory.stream(stream));
    }

    void readTopic(Identifier stream, Identifier topic) {
        Directory.TopicNumbers numbers = directory.topic(stream, topic);
        guard.readTopic(numbers.streamId(), numbers.topicId());
    }

    void manageTopic(Identifier stream, Identifier topic) {
        Directory.TopicNumbers numbers = directory.topic(stream, topic);
        guard.manageTopic(numbers.streamId(), numbers.topicId());
    }

    void pollMessages(Identifier stream, Identifier topic) {
        Directory.TopicNumbers numbers = directory.topic(stream, topic);
        guard.pollMessages(numbers.streamId(), numbers.topicId());
    }

    void sendMessages(Identifier stream, Identifier topic) {
        Directory.TopicNumbers numbers = directory.topic(stream, topic);
        guard.sendMessages(numbers.streamId(), numbers.topicId());
    }

    void readServers() {
        guard.readServers();
    }

    void manageServers() {
        guard.manageServers();
    }
}
