// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http.dto.user;

import io.keptlog.domain.catalog.Permissions;
import io.keptlog.http.dto.IdKey;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.PositiveOrZero;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonDeserialize;

/** What a user may do, as JSON (http-api §3): everywhere, per stream id, per topic id. A flag that is absent is false. */
@Schema(name = "Permissions")
public record PermissionsBody(
        @NotNull @Valid Global global,
        @Nullable @Schema(description = "By stream id.") @JsonDeserialize(keyUsing = IdKey.class)
                Map<@NotNull @PositiveOrZero Integer, @NotNull @Valid OfStream> streams) {

    /** On the whole server. */
    @Schema(name = "GlobalPermissions")
    public record Global(
            @Nullable Boolean manageServers,
            @Nullable Boolean readServers,
            @Nullable Boolean manageUsers,
            @Nullable Boolean readUsers,
            @Nullable Boolean manageStreams,
            @Nullable Boolean readStreams,
            @Nullable Boolean manageTopics,
            @Nullable Boolean readTopics,
            @Nullable Boolean pollMessages,
            @Nullable Boolean sendMessages) {
        Permissions.Global toDomain() {
            return new Permissions.Global(
                    is(manageServers),
                    is(readServers),
                    is(manageUsers),
                    is(readUsers),
                    is(manageStreams),
                    is(readStreams),
                    is(manageTopics),
                    is(readTopics),
                    is(pollMessages),
                    is(sendMessages));
        }

        static Global of(Permissions.Global g) {
            return new Global(
                    g.manageServers(),
                    g.readServers(),
                    g.manageUsers(),
                    g.readUsers(),
                    g.manageStreams(),
                    g.readStreams(),
                    g.manageTopics(),
                    g.readTopics(),
                    g.pollMessages(),
                    g.sendMessages());
        }
    }

    /** On one stream. */
    @Schema(name = "StreamPermissions")
    public record OfStream(
            @Nullable Boolean manageStream,
            @Nullable Boolean readStream,
            @Nullable Boolean manageTopics,
            @Nullable Boolean readTopics,
            @Nullable Boolean pollMessages,
            @Nullable Boolean sendMessages,
            @Nullable @Schema(description = "By topic id.") @JsonDeserialize(keyUsing = IdKey.class)
                    Map<@NotNull @PositiveOrZero Integer, @NotNull @Valid OfTopic> topics) {
        Permissions.OfStream toDomain() {
            Map<Integer, Permissions.OfTopic> byId = null;
            if (topics != null) {
                byId = new TreeMap<>();
                for (var topic : topics.entrySet()) {
                    byId.put(topic.getKey(), topic.getValue().toDomain());
                }
            }
            return new Permissions.OfStream(
                    is(manageStream),
                    is(readStream),
                    is(manageTopics),
                    is(readTopics),
                    is(pollMessages),
                    is(sendMessages),
                    byId);
        }

        static OfStream of(Permissions.OfStream s) {
            Map<Integer, OfTopic> byId = null;
            if (s.topics() != null) {
                byId = new TreeMap<>();
                for (var topic : s.topics().entrySet()) {
                    byId.put(topic.getKey(), OfTopic.of(topic.getValue()));
                }
            }
            return new OfStream(
                    s.manageStream(),
                    s.readStream(),
                    s.manageTopics(),
                    s.readTopics(),
                    s.pollMessages(),
                    s.sendMessages(),
                    byId);
        }
    }

    /** On one topic. */
    @Schema(name = "TopicPermissions")
    public record OfTopic(
            @Nullable Boolean manageTopic,
            @Nullable Boolean readTopic,
            @Nullable Boolean pollMessages,
            @Nullable Boolean sendMessages) {
        Permissions.OfTopic toDomain() {
            return new Permissions.OfTopic(is(manageTopic), is(readTopic), is(pollMessages), is(sendMessages));
        }

        static OfTopic of(Permissions.OfTopic t) {
            return new OfTopic(t.manageTopic(), t.readTopic(), t.pollMessages(), t.sendMessages());
        }
    }

    public static @Nullable Permissions toDomain(@Nullable PermissionsBody body) {
        if (body == null) {
            return null;
        }
        Map<Integer, Permissions.OfStream> byId = null;
        if (body.streams() != null) {
            byId = new TreeMap<>();
            for (var stream : body.streams().entrySet()) {
                byId.put(stream.getKey(), stream.getValue().toDomain());
            }
        }
        return new Permissions(body.global().toDomain(), byId);
    }

    public static @Nullable PermissionsBody of(@Nullable Permissions permissions) {
        if (permissions == null) {
            return null;
        }
        Map<Integer, OfStream> byId = null;
        if (permissions.streams() != null) {
            byId = new TreeMap<>();
            for (var stream : permissions.streams().entrySet()) {
                byId.put(stream.getKey(), OfStream.of(stream.getValue()));
            }
        }
        return new PermissionsBody(Global.of(permissions.global()), byId);
    }

    private static boolean is(@Nullable Boolean flag) {
        return Boolean.TRUE.equals(flag);
    }
}
