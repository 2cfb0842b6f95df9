// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import io.keptlog.domain.Compression;
import io.keptlog.domain.Durability;
import io.keptlog.domain.LogOptions;
import java.util.Set;

/**
 * A topic's effective options (Iggy topic options). Sizes in bytes.
 *
 * @param messageExpiryMicros u64; −1 (all bits set) = never
 * @param maxTopicSizeBytes u64; −1 (all bits set) = unlimited
 * @param explicit keys that the client named, sorted; the others came from defaults
 */
public record TopicOptions(
        Compression compression,
        long messageExpiryMicros,
        long maxTopicSizeBytes,
        long segmentSizeBytes,
        Durability durability,
        Durability consumerOffsetDurability,
        int messagesRequiredToSave,
        long sizeRequiredToSaveBytes,
        boolean preallocateSegments,
        Set<String> explicit) {
    public static final long NEVER = -1;
    public static final long UNLIMITED = -1;

    public TopicOptions {
        explicit = java.util.Collections.unmodifiableSortedSet(new java.util.TreeSet<>(explicit));
    }

    public LogOptions logOptions() {
        return new LogOptions(
                segmentSizeBytes, durability, messagesRequiredToSave, sizeRequiredToSaveBytes, preallocateSegments);
    }

    /** Whether segments may ever be deleted because of age or size. */
    public boolean hasRetention() {
        return messageExpiryMicros != NEVER || maxTopicSizeBytes != UNLIMITED;
    }
}
