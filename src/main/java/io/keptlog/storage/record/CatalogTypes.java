// SPDX-License-Identifier: Apache-2.0
package io.keptlog.storage.record;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.keptlog.domain.catalog.CatalogChange;

/** The names of the changes in the journal. They are part of the format: never rename one. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "change")
@JsonSubTypes({
    @JsonSubTypes.Type(value = CatalogChange.StreamCreated.class, name = "stream_created"),
    @JsonSubTypes.Type(value = CatalogChange.StreamUpdated.class, name = "stream_updated"),
    @JsonSubTypes.Type(value = CatalogChange.StreamDeleted.class, name = "stream_deleted"),
    @JsonSubTypes.Type(value = CatalogChange.TopicCreated.class, name = "topic_created"),
    @JsonSubTypes.Type(value = CatalogChange.TopicUpdated.class, name = "topic_updated"),
    @JsonSubTypes.Type(value = CatalogChange.TopicDeleted.class, name = "topic_deleted"),
    @JsonSubTypes.Type(value = CatalogChange.TopicsPurged.class, name = "topics_purged"),
    @JsonSubTypes.Type(value = CatalogChange.PartitionsAdded.class, name = "partitions_added"),
    @JsonSubTypes.Type(value = CatalogChange.PartitionsRemoved.class, name = "partitions_removed"),
    @JsonSubTypes.Type(value = CatalogChange.GroupCreated.class, name = "group_created"),
    @JsonSubTypes.Type(value = CatalogChange.GroupDeleted.class, name = "group_deleted"),
    @JsonSubTypes.Type(value = CatalogChange.UserCreated.class, name = "user_created"),
    @JsonSubTypes.Type(value = CatalogChange.UserUpdated.class, name = "user_updated"),
    @JsonSubTypes.Type(value = CatalogChange.PasswordChanged.class, name = "password_changed"),
    @JsonSubTypes.Type(value = CatalogChange.PermissionsChanged.class, name = "permissions_changed"),
    @JsonSubTypes.Type(value = CatalogChange.UserDeleted.class, name = "user_deleted"),
    @JsonSubTypes.Type(value = CatalogChange.TokenCreated.class, name = "token_created"),
    @JsonSubTypes.Type(value = CatalogChange.TokenDeleted.class, name = "token_deleted"),
    @JsonSubTypes.Type(value = CatalogChange.SessionRevoked.class, name = "session_revoked"),
    @JsonSubTypes.Type(value = CatalogChange.RemovalsDone.class, name = "removals_done")
})
interface CatalogTypes {}
