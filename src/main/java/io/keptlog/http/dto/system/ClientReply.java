// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.system;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.keptlog.service.system.ClientRegistry;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A user at an address that made a request within the last minutes. */
@Schema(description = "A user at an address that made a request within the last five minutes.")
public record ClientReply(
        @JsonProperty("client_id") @Schema(example = "1") long clientId,
        @JsonProperty("user_id") @Schema(example = "0") int userId,
        @Schema(example = "127.0.0.1") String address,
        @Schema(example = "http") String transport,
        @JsonProperty("consumer_groups_count") @Schema(example = "0") int consumerGroupsCount,
        @JsonProperty("consumer_groups")
                @JsonInclude(JsonInclude.Include.NON_NULL)
                @Schema(description = "Only when one client is asked for.")
                @Nullable
                List<Membership> consumerGroups) {
    /** A group that the client has joined. */
    @Schema(name = "GroupMembership")
    public record Membership(
            @JsonProperty("stream_id") int streamId,
            @JsonProperty("topic_id") int topicId,
            @JsonProperty("group_id") int groupId) {}

    public static ClientReply of(ClientRegistry.Client client) {
        return new ClientReply(client.id(), client.userId(), client.address(), "http", 0, null);
    }

    public static ClientReply withGroups(ClientRegistry.Client client) {
        return new ClientReply(client.id(), client.userId(), client.address(), "http", 0, List.of());
    }
}
