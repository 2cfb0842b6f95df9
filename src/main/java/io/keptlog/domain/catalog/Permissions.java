// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a user may do (Iggy's permissions): everywhere, per stream, per topic.
 *
 * @param streams by stream id; null = none, as distinct from an empty map only in JSON
 */
public record Permissions(Global global, @Nullable Map<Integer, OfStream> streams) {
    /** Permissions on the whole server. */
    public record Global(
            boolean manageServers,
            boolean readServers,
            boolean manageUsers,
            boolean readUsers,
            boolean manageStreams,
            boolean readStreams,
            boolean manageTopics,
            boolean readTopics,
            boolean pollMessages,
            boolean sendMessages) {
        public static final Global NONE =
                new Global(false, false, false, false, false, false, false, false, false, false);
        public static final Global ALL = new Global(true, true, true, true, true, true, true, true, true, true);
    }

    /** Permissions on one stream. */
    public record OfStream(
            boolean manageStream,
            boolean readStream,
            boolean manageTopics,
            boolean readTopics,
            boolean pollMessages,
            boolean sendMessages,
            @Nullable Map<Integer, OfTopic> topics) {}

    /** Permissions on one topic. */
    public record OfTopic(boolean manageTopic, boolean readTopic, boolean pollMessages, boolean sendMessages) {}

    public static final Permissions ROOT = new Permissions(Global.ALL, null);
}
