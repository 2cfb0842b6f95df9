// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iggy.Iggy;
import org.apache.iggy.client.blocking.http.IggyHttpClient;
import org.apache.iggy.consumergroup.Consumer;
import org.apache.iggy.exception.IggyAuthenticationException;
import org.apache.iggy.exception.IggyAuthorizationException;
import org.apache.iggy.exception.IggyException;
import org.apache.iggy.exception.IggyServerException;
import org.apache.iggy.identifier.ConsumerId;
import org.apache.iggy.identifier.StreamId;
import org.apache.iggy.identifier.TopicId;
import org.apache.iggy.identifier.UserId;
import org.apache.iggy.message.HeaderKey;
import org.apache.iggy.message.HeaderValue;
import org.apache.iggy.message.Message;
import org.apache.iggy.message.Partitioning;
import org.apache.iggy.message.PollingStrategy;
import org.apache.iggy.topic.CompressionAlgorithm;
import org.apache.iggy.user.GlobalPermissions;
import org.apache.iggy.user.Permissions;
import org.apache.iggy.user.StreamPermissions;
import org.apache.iggy.user.TopicPermissions;
import org.apache.iggy.user.UserInfoDetails;
import org.apache.iggy.user.UserStatus;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The unmodified Java client of Apache Iggy 0.8.0: logins, users, permissions, personal access tokens, and what a user may not do. */
@ServerTest
class IggySdkAccessTest {
    private static final BigInteger NEVER = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final GlobalPermissions NOTHING =
            new GlobalPermissions(false, false, false, false, false, false, false, false, false, false);

    @LocalServerPort
    private int port;

    private IggyHttpClient unknown() {
        return Iggy.httpClientBuilder()
                .blocking()
                .url("http://127.0.0.1:" + port)
                .build();
    }

    private IggyHttpClient login(String username, String password) {
        IggyHttpClient client = unknown();
        assertThat(client.users().login(username, password).accessToken()).isPresent();
        return client;
    }

    private IggyHttpClient root() {
        return login("iggy", "secret");
    }

    @Test
    void pingNeedsNoLoginAndEverythingElseDoes() throws IOException {
        try (IggyHttpClient client = unknown()) {
            assertThat(client.system().ping()).isEqualTo("pong");
            assertThatThrownBy(() -> client.streams().getStreams()).isInstanceOf(IggyException.class);
            assertThatThrownBy(() -> client.users().login("iggy", "wrong"))
                    .isInstanceOf(IggyException.class)
                    .hasMessageContaining("assword");
        }
    }

    @Test
    void aUserIsCreatedChangedAndDeleted() throws IOException {
        try (IggyHttpClient client = root()) {
            String name = Fixture.freshName("sdk-user");
            UserInfoDetails made = client.users().createUser(name, "a word", UserStatus.Active, Optional.empty());
            assertThat(made.username()).isEqualTo(name);
            assertThat(made.permissions()).isEmpty();
            UserId id = UserId.of(made.id());
            assertThat(client.users().getUsers()).anyMatch(u -> u.username().equals(name));
            assertThat(client.users().getUser(UserId.of(name))).isPresent();
            client.users().updateUser(id, Optional.of(name + "-b"), Optional.of(UserStatus.Inactive));
            assertThat(client.users().getUser(made.id())).hasValueSatisfying(u -> {
                assertThat(u.username()).isEqualTo(name + "-b");
                assertThat(u.status()).isEqualTo(UserStatus.Inactive);
            });
            client.users().updateUser(id, Optional.empty(), Optional.of(UserStatus.Active));
            client.users().changePassword(id, "a word", "another word");
            login(name + "-b", "another word").close();
            assertThatThrownBy(() -> login(name + "-b", "a word")).isInstanceOf(IggyException.class);
            client.users().deleteUser(id);
            assertThat(client.users().getUser(id)).isEmpty();
            assertThatThrownBy(() -> client.users().deleteUser(0L)).isInstanceOf(IggyException.class);
        }
    }

    @Test
    void permissionsComeBackAndAreEnforced() throws IOException {
        try (IggyHttpClient client = root()) {
            String stream = Fixture.freshName("sdk-guarded");
            long streamId = client.streams().createStream(stream).id();
            long topicId = client.topics()
                    .createTopic(
                            streamId, 1L, CompressionAlgorithm.None, BigInteger.ZERO, NEVER, Optional.empty(), "events")
                    .id();
            var mayPoll = new TopicPermissions(false, false, true, false);
            var inStream = new StreamPermissions(false, false, false, false, false, false, Map.of(topicId, mayPoll));
            String name = Fixture.freshName("sdk-reader");
            UserInfoDetails made = client.users()
                    .createUser(
                            name,
                            "a word",
                            UserStatus.Active,
                            Optional.of(new Permissions(NOTHING, Map.of(streamId, inStream))));
            assertThat(client.users().getUser(made.id()).orElseThrow().permissions())
                    .hasValueSatisfying(
                            p -> assertThat(p.streams().get(streamId).topics().get(topicId))
                                    .isEqualTo(mayPoll));
            try (IggyHttpClient reader = login(name, "a word")) {
                assertThat(poll(reader, streamId, topicId)).isZero();
                assertThatThrownBy(() -> reader.messages()
                                .sendMessages(streamId, topicId, Partitioning.balanced(), List.of(Message.of("x"))))
                        .isInstanceOf(IggyAuthorizationException.class);
                assertThatThrownBy(() -> reader.streams().getStreams()).isInstanceOf(IggyAuthorizationException.class);
                client.users()
                        .updatePermissions(
                                made.id(),
                                Optional.of(new Permissions(
                                        new GlobalPermissions(
                                                false, false, false, false, false, true, false, false, false, true),
                                        Map.of())));
                assertThat(reader.streams().getStreams()).isNotEmpty();
                reader.messages().sendMessages(streamId, topicId, Partitioning.balanced(), List.of(Message.of("x")));
                assertThat(poll(reader, streamId, topicId)).isEqualTo(1);
                client.users().updatePermissions(made.id(), Optional.empty());
                assertThatThrownBy(() -> poll(reader, streamId, topicId))
                        .isInstanceOf(IggyAuthorizationException.class);
            }
        }
    }

    private static int poll(IggyHttpClient client, long streamId, long topicId) {
        return client.messages()
                .pollMessages(
                        StreamId.of(streamId),
                        TopicId.of(topicId),
                        Optional.empty(),
                        Consumer.of(ConsumerId.of(1L)),
                        PollingStrategy.first(),
                        10L,
                        false)
                .messages()
                .size();
    }

    @Test
    void aPersonalAccessTokenIsCreatedListedUsedAndDeleted() throws IOException {
        try (IggyHttpClient client = root();
                IggyHttpClient other = unknown()) {
            String name = Fixture.freshName("sdk-token");
            String token = client.personalAccessTokens()
                    .createPersonalAccessToken(name, NEVER)
                    .token();
            assertThat(client.personalAccessTokens().getPersonalAccessTokens()).anySatisfy(t -> {
                assertThat(t.name()).isEqualTo(name);
                assertThat(t.expiryAt()).isEmpty();
            });
            assertThat(other.personalAccessTokens()
                            .loginWithPersonalAccessToken(token)
                            .userId())
                    .isZero();
            assertThat(other.streams().getStreams()).isNotNull();
            client.personalAccessTokens().deletePersonalAccessToken(name);
            assertThatThrownBy(() -> other.personalAccessTokens().loginWithPersonalAccessToken(token))
                    .isInstanceOf(IggyException.class);
        }
    }

    @Test
    void logoutEndsTheSession() throws IOException {
        try (IggyHttpClient client = root()) {
            assertThat(client.streams().getStreams()).isNotNull();
            client.users().logout();
            assertThatThrownBy(() -> client.streams().getStreams())
                    .isInstanceOfAny(IggyAuthenticationException.class, IggyException.class);
        }
    }

    @Test
    void userHeadersOfEveryKindComeBack() throws IOException {
        try (IggyHttpClient client = root()) {
            String stream = Fixture.freshName("sdk-headers");
            long streamId = client.streams().createStream(stream).id();
            long topicId = client.topics()
                    .createTopic(
                            streamId, 1L, CompressionAlgorithm.None, BigInteger.ZERO, NEVER, Optional.empty(), "events")
                    .id();
            Map<HeaderKey, HeaderValue> headers = Map.of(
                    HeaderKey.fromString("text"), HeaderValue.fromString("\u00e9"),
                    HeaderKey.fromString("flag"), HeaderValue.fromBool(true),
                    HeaderKey.fromString("int"), HeaderValue.fromInt64(Long.MIN_VALUE),
                    HeaderKey.fromString("float"), HeaderValue.fromFloat64(1.5),
                    HeaderKey.fromString("raw"), HeaderValue.fromRaw(new byte[] {0, -1}));
            client.messages()
                    .sendMessages(
                            streamId,
                            topicId,
                            Partitioning.messagesKey("key"),
                            List.of(Message.of("with headers", headers)));
            assertThat(client.messages()
                            .pollMessages(streamId, topicId, Optional.of(0L), 1L, PollingStrategy.last(), 1L, false)
                            .messages())
                    .singleElement()
                    .satisfies(m -> {
                        assertThat(m.userHeaders().keySet()).isEqualTo(headers.keySet());
                        assertThat(m.userHeaders()
                                        .get(HeaderKey.fromString("int"))
                                        .asInt64())
                                .isEqualTo(Long.MIN_VALUE);
                        assertThat(m.userHeaders()
                                        .get(HeaderKey.fromString("text"))
                                        .asString())
                                .isEqualTo("\u00e9");
                    });
        }
    }

    @Test
    void anErrorCarriesTheNumberOfIggy() throws IOException {
        try (IggyHttpClient client = root()) {
            String stream = Fixture.freshName("sdk-twice");
            client.streams().createStream(stream);
            assertThatThrownBy(() -> client.streams().createStream(stream))
                    .isInstanceOfSatisfying(IggyServerException.class, e -> {
                        assertThat(e.getErrorId()).contains("1012");
                        assertThat(e.getReason()).contains(stream);
                    });
        }
    }
}
