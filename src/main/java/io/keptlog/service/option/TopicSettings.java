// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.option;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a create or update request: three of them are members of their own, all of them may be in the map. In an update a
 * member that is null stays as it is.
 *
 * @param messageExpiryMicros unsigned 64-bit; 0 = the server's default
 * @param maxTopicSizeBytes unsigned 64-bit; 0 = the server's default
 */
public record TopicSettings(
        @Nullable String compressionAlgorithm,
        @Nullable Long messageExpiryMicros,
        @Nullable Long maxTopicSizeBytes,
        Map<String, String> options) {
    public TopicSettings {
        options = Map.copyOf(options);
    }

    Map<TopicOption, String> members() {
        Map<TopicOption, String> members = new EnumMap<>(TopicOption.class);
        if (compressionAlgorithm != null) {
            members.put(TopicOption.COMPRESSION_ALGORITHM, compressionAlgorithm);
        }
        if (messageExpiryMicros != null) {
            members.put(TopicOption.MESSAGE_EXPIRY, Long.toUnsignedString(messageExpiryMicros));
        }
        if (maxTopicSizeBytes != null) {
            members.put(TopicOption.MAX_TOPIC_SIZE, Long.toUnsignedString(maxTopicSizeBytes));
        }
        return members;
    }
}
