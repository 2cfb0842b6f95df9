// SPDX-License-Identifier: Apache-2.0
package io.keptlog.service.catalog;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Identifier;
import io.keptlog.domain.KeptlogException;
import io.keptlog.domain.PartitionSpec;
import io.keptlog.domain.catalog.CatalogState;
import io.keptlog.domain.catalog.GroupEntry;
import io.keptlog.domain.catalog.StreamEntry;
import io.keptlog.domain.catalog.TopicEntry;

/**
 * Finds what a path names, or throws the contract's error for it. A change of something absent names the field (1009, 2010, 3007); a
 * read of something absent is a plain {@code not_found} (Iggy HTTP API §5).
 */
public final class Lookup {
    private Lookup() {}

    /** How an absent stream or topic is answered. */
    public enum Absent {
        /** 404 with Iggy's number and the field. */
        NAMED,
        /** 404 not_found. */
        PLAIN
    }

    public static StreamEntry stream(CatalogState state, Identifier stream, Absent absent) {
        StreamEntry found = state.findStream(stream);
        if (found == null) {
            throw absent(absent, ErrorCode.STREAM_ID_NOT_FOUND, "Stream " + text(stream) + " not found.", "stream_id");
        }
        return found;
    }

    public static TopicEntry topic(CatalogState state, Identifier stream, Identifier topic, Absent absent) {
        StreamEntry parent = stream(state, stream, absent);
        TopicEntry found = parent.findTopic(topic);
        if (found == null) {
            throw absent(
                    absent,
                    ErrorCode.TOPIC_ID_NOT_FOUND,
                    "Topic " + text(topic) + " not found in stream " + parent.id() + ".",
                    "topic_id");
        }
        return found;
    }

    /**
     * @param partitionId unsigned 32-bit number
     */
    public static PartitionSpec partition(TopicEntry topic, long partitionId) {
        if (partitionId < 0 || partitionId >= topic.partitions().size()) {
            throw noPartition(topic, partitionId);
        }
        return topic.spec(topic.partitions().get((int) partitionId));
    }

    static KeptlogException noPartition(TopicEntry topic, long partitionId) {
        return new KeptlogException(
                ErrorCode.PARTITION_NOT_FOUND,
                "Partition " + partitionId + " not found in topic " + topic.id() + " of stream " + topic.streamId()
                        + ", which has " + topic.partitions().size() + " partitions.",
                "partition_id");
    }

    /** The group that a path or a consumer id names: absent is 5000 for a number, 5003 for a name. */
    public static GroupEntry group(TopicEntry topic, Identifier group) {
        GroupEntry found =
                switch (group) {
                    case Identifier.Numeric n -> n.value() > Integer.MAX_VALUE
                            ? null
                            : topic.groups().get((int) n.value());
                    case Identifier.Name name -> topic.groups().values().stream()
                            .filter(g -> g.name().equals(name.value()))
                            .findFirst()
                            .orElse(null);
                };
        if (found == null) {
            ErrorCode code = group instanceof Identifier.Numeric
                    ? ErrorCode.CONSUMER_GROUP_ID_NOT_FOUND
                    : ErrorCode.CONSUMER_GROUP_NAME_NOT_FOUND;
            throw new KeptlogException(
                    code, "Consumer group " + text(group) + " not found in topic " + topic.id() + ".", "group_id");
        }
        return found;
    }

    private static KeptlogException absent(Absent absent, ErrorCode code, String reason, String field) {
        return absent == Absent.NAMED
                ? new KeptlogException(code, reason, field)
                : new KeptlogException(ErrorCode.NOT_FOUND, reason, field);
    }

    private static String text(Identifier identifier) {
        return switch (identifier) {
            case Identifier.Numeric n -> Long.toString(n.value());
            case Identifier.Name name -> "\"" + name.value() + "\"";
        };
    }
}
