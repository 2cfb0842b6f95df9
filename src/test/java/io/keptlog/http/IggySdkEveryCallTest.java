// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.iggy.Iggy;
import org.apache.iggy.client.blocking.ConsumerGroupsClient;
import org.apache.iggy.client.blocking.ConsumerOffsetsClient;
import org.apache.iggy.client.blocking.IggyBaseClient;
import org.apache.iggy.client.blocking.MessagesClient;
import org.apache.iggy.client.blocking.PartitionsClient;
import org.apache.iggy.client.blocking.PersonalAccessTokensClient;
import org.apache.iggy.client.blocking.StreamsClient;
import org.apache.iggy.client.blocking.SystemClient;
import org.apache.iggy.client.blocking.TopicsClient;
import org.apache.iggy.client.blocking.UsersClient;
import org.apache.iggy.client.blocking.http.IggyHttpClient;
import org.apache.iggy.consumergroup.Consumer;
import org.apache.iggy.exception.IggyOperationNotSupportedException;
import org.apache.iggy.identifier.ConsumerId;
import org.apache.iggy.identifier.StreamId;
import org.apache.iggy.identifier.TopicId;
import org.apache.iggy.identifier.UserId;
import org.apache.iggy.message.Message;
import org.apache.iggy.message.Partitioning;
import org.apache.iggy.message.PollingStrategy;
import org.apache.iggy.topic.CompressionAlgorithm;
import org.apache.iggy.user.GlobalPermissions;
import org.apache.iggy.user.Permissions;
import org.apache.iggy.user.UserInfoDetails;
import org.apache.iggy.user.UserStatus;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/**
 * Every method that the unmodified Java client of Apache Iggy 0.8.0 has, over HTTP and a real port. What is called is written down and
 * compared with what the client's interfaces have, so that a method can be left out only with a reason.
 */
@ServerTest
class IggySdkEveryCallTest {
    /** The client's own HTTP part throws before it sends anything: these belong to connections, which HTTP does not have. */
    private static final Set<String> NOT_OVER_HTTP = Set.of(
            "ConsumerGroupsClient.joinConsumerGroup(Long, Long, Long)",
            "ConsumerGroupsClient.joinConsumerGroup(StreamId, TopicId, ConsumerId)",
            "ConsumerGroupsClient.leaveConsumerGroup(Long, Long, Long)",
            "ConsumerGroupsClient.leaveConsumerGroup(StreamId, TopicId, ConsumerId)",
            "SystemClient.getMe()");

    private static final BigInteger NEVER = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);
    private static final GlobalPermissions NOTHING =
            new GlobalPermissions(false, false, false, false, false, false, false, false, false, false);

    private final Set<String> called = new TreeSet<>();

    @LocalServerPort
    private int port;

    private static String describe(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName()
                + Arrays.stream(method.getParameterTypes())
                        .map(Class::getSimpleName)
                        .collect(Collectors.joining(", ", "(", ")"));
    }

    private <T> T noted(Class<T> type, T client) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    called.add(describe(method));
                    try {
                        return method.invoke(client, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void everyCallOfTheClientWorksOrIsNotMadeForHttp() throws Exception {
        try (IggyHttpClient client = Iggy.httpClientBuilder()
                .blocking()
                .url("http://127.0.0.1:" + port)
                .build()) {
            UsersClient users = noted(UsersClient.class, client.users());
            assertThat(users.login("iggy", "secret").userId()).isZero();
            system(noted(SystemClient.class, client.system()));
            streams(noted(StreamsClient.class, client.streams()));
            long stream = client.streams().createStream("every-call").id();
            topics(noted(TopicsClient.class, client.topics()), stream);
            long topic = topic(client.topics(), stream, "events", 2).id();
            partitions(noted(PartitionsClient.class, client.partitions()), client.topics(), stream, topic);
            messages(noted(MessagesClient.class, client.messages()), stream, topic);
            groups(noted(ConsumerGroupsClient.class, client.consumerGroups()), stream, topic);
            offsets(noted(ConsumerOffsetsClient.class, client.consumerOffsets()), stream, topic);
            tokens(noted(PersonalAccessTokensClient.class, client.personalAccessTokens()));
            users(users);
            users.logout();
            assertThatThrownBy(() -> client.streams().getStreams()).isInstanceOf(RuntimeException.class);
        }
        Set<String> all = Arrays.stream(IggyBaseClient.class.getMethods())
                .flatMap(group -> Arrays.stream(group.getReturnType().getMethods()))
                .map(IggySdkEveryCallTest::describe)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(all).hasSizeGreaterThan(60).containsAll(NOT_OVER_HTTP);
        assertThat(called).containsExactlyInAnyOrderElementsOf(all);
    }

    private static void system(SystemClient system) {
        assertThat(system.ping()).isEqualTo("pong");
        assertThat(system.getStats().hostname()).isNotBlank();
        long id = system.getClients().getFirst().clientId();
        assertThat(system.getClient(id).address()).isEqualTo("127.0.0.1");
        assertThatThrownBy(system::getMe).isInstanceOf(IggyOperationNotSupportedException.class);
    }

    private static void streams(StreamsClient streams) {
        long id = streams.createStream("every-call-a").id();
        assertThat(streams.getStreams()).anyMatch(s -> s.id().equals(id));
        assertThat(streams.getStream(id)).isPresent();
        assertThat(streams.getStream(StreamId.of("every-call-a"))).isPresent();
        streams.updateStream(id, "every-call-b");
        streams.updateStream(StreamId.of("every-call-b"), "every-call-c");
        streams.deleteStream(id);
        assertThat(streams.getStream(id)).isEmpty();
        streams.createStream("every-call-c");
        streams.deleteStream(StreamId.of("every-call-c"));
        assertThat(streams.getStream(StreamId.of("every-call-c"))).isEmpty();
    }

    private static org.apache.iggy.topic.TopicDetails topic(TopicsClient topics, long stream, String name, long count) {
        return topics.createTopic(
                stream, count, CompressionAlgorithm.None, BigInteger.ZERO, BigInteger.ZERO, Optional.empty(), name);
    }

    private static void topics(TopicsClient topics, long stream) {
        StreamId byId = StreamId.of(stream);
        long id = topic(topics, stream, "a", 1).id();
        topics.createTopic(byId, 1L, CompressionAlgorithm.Gzip, NEVER, NEVER, Optional.of((short) 1), "b");
        assertThat(topics.getTopics(stream)).extracting(t -> t.name()).containsExactly("a", "b");
        assertThat(topics.getTopics(byId)).hasSize(2);
        assertThat(topics.getTopic(stream, id))
                .hasValueSatisfying(t -> assertThat(t.partitions()).hasSize(1));
        assertThat(topics.getTopic(byId, TopicId.of("b")))
                .hasValueSatisfying(t -> assertThat(t.compressionAlgorithm()).isEqualTo(CompressionAlgorithm.Gzip));
        BigInteger week = BigInteger.valueOf(604_800_000_000L);
        topics.updateTopic(stream, id, CompressionAlgorithm.Gzip, week, NEVER, Optional.empty(), "a2");
        assertThat(topics.getTopic(stream, id).orElseThrow().messageExpiry()).isEqualTo(week);
        topics.updateTopic(
                byId, TopicId.of("a2"), CompressionAlgorithm.None, BigInteger.ZERO, NEVER, Optional.of((short) 1), "a");
        assertThat(topics.getTopic(stream, id).orElseThrow().name()).isEqualTo("a");
        topics.deleteTopic(stream, id);
        topics.deleteTopic(byId, TopicId.of("b"));
        assertThat(topics.getTopics(stream)).isEmpty();
    }

    private static void partitions(PartitionsClient partitions, TopicsClient topics, long stream, long topic) {
        StreamId streamId = StreamId.of(stream);
        TopicId topicId = TopicId.of(topic);
        partitions.createPartitions(stream, topic, 2L);
        partitions.createPartitions(streamId, topicId, 1L);
        assertThat(topics.getTopic(streamId, topicId).orElseThrow().partitionsCount())
                .isEqualTo(5);
        partitions.deletePartitions(stream, topic, 2L);
        partitions.deletePartitions(streamId, topicId, 1L);
        assertThat(topics.getTopic(streamId, topicId).orElseThrow().partitionsCount())
                .isEqualTo(2);
    }

    private static void messages(MessagesClient messages, long stream, long topic) {
        StreamId streamId = StreamId.of(stream);
        TopicId topicId = TopicId.of(topic);
        messages.sendMessages(stream, topic, Partitioning.partitionId(0L), List.of(Message.of("one")));
        messages.sendMessages(streamId, topicId, Partitioning.partitionId(0L), List.of(Message.of("two")));
        assertThat(messages.pollMessages(stream, topic, Optional.of(0L), 1L, PollingStrategy.first(), 10L, false)
                        .messages())
                .hasSize(2);
        assertThat(messages.pollMessages(
                                streamId,
                                topicId,
                                Optional.empty(),
                                Consumer.of(ConsumerId.of("reader")),
                                PollingStrategy.last(),
                                1L,
                                true)
                        .messages())
                .hasSize(1);
    }

    private static void groups(ConsumerGroupsClient groups, long stream, long topic) {
        StreamId streamId = StreamId.of(stream);
        TopicId topicId = TopicId.of(topic);
        long first = groups.createConsumerGroup(stream, topic, "first").id();
        groups.createConsumerGroup(streamId, topicId, "second");
        assertThat(groups.getConsumerGroups(stream, topic)).hasSize(2);
        assertThat(groups.getConsumerGroups(streamId, topicId)).hasSize(2);
        assertThat(groups.getConsumerGroup(stream, topic, first)).isPresent();
        ConsumerId second = ConsumerId.of("second");
        assertThat(groups.getConsumerGroup(streamId, topicId, second))
                .hasValueSatisfying(g -> assertThat(g.members()).isEmpty());
        assertThatThrownBy(() -> groups.joinConsumerGroup(stream, topic, first))
                .isInstanceOf(IggyOperationNotSupportedException.class);
        assertThatThrownBy(() -> groups.joinConsumerGroup(streamId, topicId, second))
                .isInstanceOf(IggyOperationNotSupportedException.class);
        assertThatThrownBy(() -> groups.leaveConsumerGroup(stream, topic, first))
                .isInstanceOf(IggyOperationNotSupportedException.class);
        assertThatThrownBy(() -> groups.leaveConsumerGroup(streamId, topicId, second))
                .isInstanceOf(IggyOperationNotSupportedException.class);
        groups.deleteConsumerGroup(stream, topic, first);
        groups.deleteConsumerGroup(streamId, topicId, second);
        assertThat(groups.getConsumerGroups(stream, topic)).isEmpty();
    }

    private static void offsets(ConsumerOffsetsClient offsets, long stream, long topic) {
        StreamId streamId = StreamId.of(stream);
        TopicId topicId = TopicId.of(topic);
        Consumer named = Consumer.of(ConsumerId.of("keeper"));
        assertThat(offsets.getConsumerOffset(streamId, topicId, Optional.of(0L), named))
                .isEmpty();
        offsets.storeConsumerOffset(stream, topic, Optional.of(0L), 9L, BigInteger.ONE);
        offsets.storeConsumerOffset(streamId, topicId, Optional.of(0L), named, BigInteger.ZERO);
        assertThat(offsets.getConsumerOffset(stream, topic, Optional.of(0L), 9L))
                .hasValueSatisfying(o -> assertThat(o.storedOffset()).isEqualTo(BigInteger.ONE));
        assertThat(offsets.getConsumerOffset(streamId, topicId, Optional.of(0L), named))
                .hasValueSatisfying(o -> assertThat(o.currentOffset()).isEqualTo(BigInteger.ONE));
    }

    private static void tokens(PersonalAccessTokensClient tokens) {
        String text =
                tokens.createPersonalAccessToken("every-call", BigInteger.ZERO).token();
        assertThat(tokens.getPersonalAccessTokens()).anyMatch(t -> t.name().equals("every-call"));
        assertThat(tokens.loginWithPersonalAccessToken(text).userId()).isZero();
        tokens.deletePersonalAccessToken("every-call");
        assertThat(tokens.getPersonalAccessTokens()).noneMatch(t -> t.name().equals("every-call"));
    }

    private static void users(UsersClient users) {
        UserInfoDetails made = users.createUser("every-call", "a word", UserStatus.Active, Optional.empty());
        long id = made.id();
        UserId byName = UserId.of("every-call");
        assertThat(users.getUsers()).anyMatch(u -> u.username().equals("every-call"));
        assertThat(users.getUser(id)).isPresent();
        assertThat(users.getUser(byName)).isPresent();
        users.updatePermissions(id, Optional.of(new Permissions(NOTHING, Map.of())));
        assertThat(users.getUser(id).orElseThrow().permissions()).isPresent();
        users.updatePermissions(byName, Optional.empty());
        assertThat(users.getUser(id).orElseThrow().permissions()).isEmpty();
        users.changePassword(id, "a word", "another word");
        users.changePassword(byName, "another word", "a third word");
        users.updateUser(id, Optional.empty(), Optional.of(UserStatus.Inactive));
        users.updateUser(byName, Optional.of("every-call-2"), Optional.of(UserStatus.Active));
        assertThat(users.getUser(id).orElseThrow().username()).isEqualTo("every-call-2");
        users.deleteUser(id);
        users.createUser("every-call", "a word", UserStatus.Inactive, Optional.empty());
        users.deleteUser(byName);
        assertThat(users.getUser(byName)).isEmpty();
    }
}
