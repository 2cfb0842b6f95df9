// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.iggy.Iggy;
import org.apache.iggy.client.blocking.http.IggyHttpClient;
import org.apache.iggy.consumergroup.Consumer;
import org.apache.iggy.identifier.ConsumerId;
import org.apache.iggy.identifier.StreamId;
import org.apache.iggy.identifier.TopicId;
import org.apache.iggy.message.Message;
import org.apache.iggy.message.Partitioning;
import org.apache.iggy.message.PolledMessages;
import org.apache.iggy.message.PollingStrategy;
import org.apache.iggy.system.Stats;
import org.apache.iggy.topic.CompressionAlgorithm;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The unmodified Java client of Apache Iggy 0.8.0: every call that concerns streams, messages and the system. */
@ServerTest
class IggySdkTest {
    private static final BigInteger NEVER = BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE);

    @LocalServerPort
    private int port;

    private IggyHttpClient client() {
        return Iggy.httpClientBuilder()
                .blocking()
                .url("http://127.0.0.1:" + port)
                .credentials("iggy", "secret")
                .buildAndLogin();
    }

    private static void aTopic(IggyHttpClient client, String name, long partitions) {
        client.streams().createStream(name);
        client.topics()
                .createTopic(
                        StreamId.of(name),
                        partitions,
                        CompressionAlgorithm.Gzip,
                        BigInteger.ZERO,
                        BigInteger.ZERO,
                        Optional.of((short) 1),
                        "events");
    }

    @Test
    void streamsAndTopicsAreListedReadChangedAndDeleted() throws IOException {
        try (IggyHttpClient client = client()) {
            aTopic(client, "sdk-catalog", 1);
            StreamId stream = StreamId.of("sdk-catalog");
            TopicId topic = TopicId.of("events");
            assertThat(client.streams().getStreams()).extracting(s -> s.name()).contains("sdk-catalog");
            assertThat(client.streams().getStream(stream))
                    .hasValueSatisfying(s -> assertThat(s.topics()).hasSize(1));
            client.streams().updateStream(stream, "sdk-renamed");
            assertThat(client.streams().getStream(stream)).isEmpty();
            stream = StreamId.of("sdk-renamed");
            client.topics()
                    .updateTopic(
                            stream,
                            topic,
                            CompressionAlgorithm.None,
                            BigInteger.valueOf(604_800_000_000L),
                            NEVER,
                            Optional.empty(),
                            "events");
            var details = client.topics().getTopic(stream, topic).orElseThrow();
            assertThat(details.messageExpiry()).isEqualTo(BigInteger.valueOf(604_800_000_000L));
            assertThat(details.maxTopicSize()).isEqualTo(NEVER);
            assertThat(details.compressionAlgorithm()).isEqualTo(CompressionAlgorithm.None);
            client.partitions().createPartitions(stream, topic, 2L);
            assertThat(client.topics().getTopics(stream)).singleElement().satisfies(t -> assertThat(t.partitionsCount())
                    .isEqualTo(3));
            client.partitions().deletePartitions(stream, topic, 1L);
            assertThat(client.topics().getTopic(stream, topic).orElseThrow().partitions())
                    .hasSize(2);
            client.streams().deleteStream(stream);
            assertThat(client.streams().getStream(stream)).isEmpty();
        }
    }

    @Test
    void messagesAreSentAndPolledInEveryWay() throws IOException {
        try (IggyHttpClient client = client()) {
            aTopic(client, "sdk-messages", 1);
            StreamId stream = StreamId.of("sdk-messages");
            TopicId topic = TopicId.of("events");
            List<Message> ten =
                    IntStream.range(0, 10).mapToObj(i -> Message.of("m" + i)).toList();
            client.messages().sendMessages(stream, topic, Partitioning.balanced(), ten);
            client.messages().sendMessages(stream, topic, Partitioning.messagesKey("key"), ten);
            client.messages().sendMessages(stream, topic, Partitioning.partitionId(0L), ten);
            Consumer consumer = Consumer.of(7L);
            assertThat(poll(client, stream, topic, consumer, PollingStrategy.first(), false)
                            .messages())
                    .extracting(m -> new String(m.payload(), StandardCharsets.UTF_8))
                    .startsWith("m0", "m1");
            assertThat(offsets(poll(client, stream, topic, consumer, PollingStrategy.last(), false)))
                    .containsExactly(25L, 26L, 27L, 28L, 29L);
            assertThat(offsets(poll(
                            client, stream, topic, consumer, PollingStrategy.offset(BigInteger.valueOf(12)), false)))
                    .startsWith(12L);
            assertThat(offsets(poll(client, stream, topic, consumer, PollingStrategy.timestamp(BigInteger.ONE), false)))
                    .startsWith(0L);
            assertThat(offsets(poll(client, stream, topic, consumer, PollingStrategy.next(), true)))
                    .containsExactly(0L, 1L, 2L, 3L, 4L);
            assertThat(offsets(poll(client, stream, topic, consumer, PollingStrategy.next(), true)))
                    .containsExactly(5L, 6L, 7L, 8L, 9L);
        }
    }

    private static PolledMessages poll(
            IggyHttpClient client,
            StreamId stream,
            TopicId topic,
            Consumer consumer,
            PollingStrategy strategy,
            boolean autoCommit) {
        return client.messages().pollMessages(stream, topic, Optional.empty(), consumer, strategy, 5L, autoCommit);
    }

    private static List<Long> offsets(PolledMessages polled) {
        return polled.messages().stream()
                .map(m -> m.header().offset().longValueExact())
                .toList();
    }

    @Test
    void groupsAreMadeAndKeepOffsetsOfTheirOwn() throws IOException {
        try (IggyHttpClient client = client()) {
            aTopic(client, "sdk-groups", 2);
            StreamId stream = StreamId.of("sdk-groups");
            TopicId topic = TopicId.of("events");
            client.messages().sendMessages(stream, topic, Partitioning.partitionId(1L), List.of(Message.of("a")));
            assertThat(client.consumerGroups()
                            .createConsumerGroup(stream, topic, "billing")
                            .members())
                    .isEmpty();
            assertThat(client.consumerGroups().getConsumerGroups(stream, topic))
                    .singleElement()
                    .satisfies(g -> assertThat(g.partitionsCount()).isEqualTo(2));
            ConsumerId billing = ConsumerId.of("billing");
            Consumer group = Consumer.group(billing);
            client.consumerOffsets().storeConsumerOffset(stream, topic, Optional.of(1L), group, BigInteger.ZERO);
            assertThat(client.consumerOffsets().getConsumerOffset(stream, topic, Optional.of(1L), group))
                    .hasValueSatisfying(o -> assertThat(o.storedOffset()).isZero());
            client.consumerGroups().deleteConsumerGroup(stream, topic, billing);
            assertThat(client.consumerGroups().getConsumerGroup(stream, topic, billing))
                    .isEmpty();
        }
    }

    @Test
    void theSystemAnswers() throws IOException {
        try (IggyHttpClient client = client()) {
            assertThat(client.system().ping()).isEqualTo("pong");
            Stats stats = client.system().getStats();
            assertThat(stats.iggyServerVersion()).isEqualTo("0.8.0");
            assertThat(stats.processId()).isEqualTo(ProcessHandle.current().pid());
            var clients = client.system().getClients();
            assertThat(clients).isNotEmpty();
            assertThat(client.system().getClient(clients.getFirst().clientId()).transport())
                    .isEqualTo("http");
        }
    }
}
