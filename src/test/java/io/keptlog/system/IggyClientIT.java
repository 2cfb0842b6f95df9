// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.ServerProcess;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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
import org.apache.iggy.topic.CompressionAlgorithm;
import org.apache.iggy.topic.TopicDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unmodified Java client of Apache Iggy 0.8.0 over HTTP. */
class IggyClientIT {
    private static final int MESSAGES = 25;

    @TempDir
    Path directory;

    @Test
    void theJavaClientOfIggyLogsInCreatesSendsPollsAndStoresAnOffset() throws IOException {
        try (ServerProcess server = ServerProcess.start(directory.resolve("data"));
                IggyHttpClient client = Iggy.httpClientBuilder()
                        .blocking()
                        .url("http://127.0.0.1:" + server.port())
                        .credentials(ServerProcess.USERNAME, ServerProcess.PASSWORD)
                        .buildAndLogin()) {
            StreamId stream = StreamId.of("orders");
            TopicId topic = TopicId.of("eu");
            assertThat(client.streams().createStream("orders").name()).isEqualTo("orders");
            TopicDetails details = client.topics()
                    .createTopic(
                            stream,
                            2L,
                            CompressionAlgorithm.None,
                            BigInteger.ZERO,
                            BigInteger.ZERO,
                            Optional.empty(),
                            "eu");
            assertThat(details.partitionsCount()).isEqualTo(2);

            List<Message> messages = IntStream.range(0, MESSAGES)
                    .mapToObj(i -> Message.of("message " + i + " Ω"))
                    .toList();
            client.messages().sendMessages(stream, topic, Partitioning.partitionId(1L), messages);
            Consumer consumer = Consumer.of(ConsumerId.of("billing"));
            PolledMessages polled = client.messages()
                    .pollMessages(
                            stream,
                            topic,
                            Optional.of(1L),
                            consumer,
                            PollingStrategy.offset(BigInteger.ZERO),
                            100L,
                            false);
            assertThat(polled.partitionId()).isEqualTo(1);
            assertThat(polled.count()).isEqualTo(MESSAGES);
            assertThat(polled.currentOffset()).isEqualTo(BigInteger.valueOf(MESSAGES - 1));
            assertThat(polled.messages())
                    .extracting(m -> new String(m.payload(), StandardCharsets.UTF_8))
                    .containsExactlyElementsOf(IntStream.range(0, MESSAGES)
                            .mapToObj(i -> "message " + i + " Ω")
                            .toList());

            assertThat(client.consumerOffsets().getConsumerOffset(stream, topic, Optional.of(1L), consumer))
                    .isEmpty();
            client.consumerOffsets()
                    .storeConsumerOffset(stream, topic, Optional.of(1L), consumer, BigInteger.valueOf(9));
            assertThat(client.consumerOffsets().getConsumerOffset(stream, topic, Optional.of(1L), consumer))
                    .hasValueSatisfying(o -> assertThat(o.storedOffset()).isEqualTo(BigInteger.valueOf(9)));
            PolledMessages next = client.messages()
                    .pollMessages(stream, topic, Optional.of(1L), consumer, PollingStrategy.next(), 1L, false);
            assertThat(next.messages()).extracting(m -> m.header().offset()).containsExactly(BigInteger.TEN);
            assertThat(client.topics().getTopic(stream, topic))
                    .hasValueSatisfying(t -> assertThat(t.messagesCount()).isEqualTo(BigInteger.valueOf(MESSAGES)));
            assertThat(client.topics().getTopic(stream, TopicId.of("absent"))).isEmpty();

            client.topics().deleteTopic(stream, topic);
            assertThat(client.topics().getTopics(stream)).isEmpty();
            client.streams().deleteStream(stream);
        }
    }
}
