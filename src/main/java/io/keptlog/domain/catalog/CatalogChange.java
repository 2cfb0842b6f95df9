// SPDX-License-Identifier: Apache-2.0
package io.keptlog.domain.catalog;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One durable step of the catalog. Changes carry results, not wishes: ids, incarnations and times are in them, so that replaying them
 * gives the same state. Times in microseconds since the epoch.
 */
public sealed interface CatalogChange {
    record StreamCreated(int streamId, long createdAtMicros, String name, Map<String, String> options)
            implements CatalogChange {}

    record StreamUpdated(int streamId, String name, Map<String, String> options) implements CatalogChange {}

    record StreamDeleted(int streamId) implements CatalogChange {}

    record TopicCreated(
            int streamId,
            int topicId,
            long createdAtMicros,
            String name,
            TopicOptions options,
            List<PartitionEntry> partitions)
            implements CatalogChange {}

    record TopicUpdated(int streamId, int topicId, String name, TopicOptions options) implements CatalogChange {}

    record TopicDeleted(int streamId, int topicId) implements CatalogChange {}

    /** Every partition of these topics begins a new life. */
    record TopicsPurged(int streamId, Map<Integer, List<PartitionEntry>> partitionsByTopic) implements CatalogChange {}

    record PartitionsAdded(int streamId, int topicId, List<PartitionEntry> partitions) implements CatalogChange {}

    /** The last {@code count} partitions go. */
    record PartitionsRemoved(int streamId, int topicId, int count) implements CatalogChange {}

    record GroupCreated(int streamId, int topicId, GroupEntry group) implements CatalogChange {}

    record GroupDeleted(int streamId, int topicId, int groupId) implements CatalogChange {}

    record UserCreated(UserEntry user) implements CatalogChange {}

    /** Name or status; a change of status ends the user's sessions. */
    record UserUpdated(int userId, String username, boolean active) implements CatalogChange {}

    /**
     * Ends every session of the user but one.
     *
     * @param keptSession JWT id of the user's own session that made the change, or null
     */
    record PasswordChanged(int userId, String passwordHash, @Nullable String keptSession) implements CatalogChange {
        @Override
        public String toString() {
            return "PasswordChanged[" + userId + "]";
        }
    }

    record PermissionsChanged(int userId, @Nullable Permissions permissions) implements CatalogChange {}

    record UserDeleted(int userId) implements CatalogChange {}

    record TokenCreated(int userId, TokenEntry token) implements CatalogChange {}

    record TokenDeleted(int userId, String name) implements CatalogChange {}

    /** A JWT that was logged out; kept until it would have expired. */
    record SessionRevoked(String jwtId, long expirySeconds) implements CatalogChange {}

    /** Files of these tombstones are gone. */
    record RemovalsDone(List<Removal> removals) implements CatalogChange {}
}
