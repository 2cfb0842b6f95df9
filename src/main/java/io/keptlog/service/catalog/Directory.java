// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.Identifier;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;
import io.keptlog.storage.Catalog;

/** The numbers of what a path names, for whoever decides on permissions before anything is said about existence. */
public final class Directory {
    /** The number of what does not exist. */
    public static final int ABSENT = -1;

    private final Catalog catalog;

    public Directory(Catalog catalog) {
        this.catalog = catalog;
    }

    /** A stream's and a topic's number, each {@link #ABSENT} when it does not exist. */
    public record TopicNumbers(int streamId, int topicId) {}

    public int stream(Identifier stream) {
        StreamEntry found = catalog.state().findStream(stream);
        return found == null ? ABSENT : found.id();
    }

    public TopicNumbers topic(Identifier stream, Identifier topic) {
        StreamEntry parent = catalog.state().findStream(stream);
        if (parent == null) {
            return new TopicNumbers(ABSENT, ABSENT);
        }
        TopicEntry found = parent.findTopic(topic);
        return new TopicNumbers(parent.id(), found == null ? ABSENT : found.id());
    }
}
