// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.databind.JsonNode;

/** Batches and polls in all their forms: what comes back, and what a wrong one is told. */
@ServerTest
class ProduceAndPollTest {
    private static final String BALANCED = "{\"kind\":\"balanced\",\"value\":\"\"}";

    private final MockMvc mvc;
    private final Api root;
    private final Fixture fixture;

    @Autowired
    ProduceAndPollTest(MockMvc mvc) {
        this.mvc = mvc;
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    private static String key(String key) {
        return "{\"kind\":\"messages_key\",\"value\":\"" + Fixture.base64(key) + "\"}";
    }

    private MockHttpServletResponse send(String path, String type, String body, String... headers) throws Exception {
        var request = MockMvcRequestBuilders.post(URI.create(path))
                .header("Authorization", root.authorization())
                .contentType(type)
                .content(body);
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return mvc.perform(request).andReturn().getResponse();
    }

    @Test
    void aKeyAlwaysLeadsToTheSamePartitionAndBalancedGoesRound() {
        String topic = fixture.topic(3);
        for (String key : new String[] {"a", "order-17", "\u00e9", "k".repeat(255)}) {
            int first = partitionOf(topic, key(key));
            assertThat(partitionOf(topic, key(key))).isEqualTo(first);
        }
        // XXH32 with seed 0 of "a" is 0x550d7456.
        assertThat(partitionOf(topic, key("a"))).isEqualTo((int) (0x550d7456L % 3));
        var seen = IntStream.range(0, 6)
                .map(i -> partitionOf(topic, BALANCED))
                .boxed()
                .toList();
        assertThat(seen.subList(0, 3)).containsExactlyInAnyOrder(0, 1, 2);
        assertThat(seen.subList(3, 6)).isEqualTo(seen.subList(0, 3));
    }

    private int partitionOf(String topic, String partitioning) {
        return root.post(topic + "/messages", Fixture.body(partitioning, "x"))
                .expect(201)
                .json()
                .at("/confirmations/0/partition_id")
                .asInt();
    }

    @Test
    void everyStartOfAPollFindsItsMessages() {
        String topic = fixture.topic(1);
        assertThat(fixture.poll(topic, "kind=last").path("count").asInt(-1)).isZero();
        for (int i = 0; i < 12; i++) {
            fixture.send(topic, 0, "m" + i);
        }
        JsonNode all = fixture.poll(topic, "kind=first&count=100");
        assertThat(all.path("current_offset").asInt()).isEqualTo(11);
        assertThat(all.path("partition_id").asInt(-1)).isZero();
        assertThat(all.path("count").asInt()).isEqualTo(12);
        assertThat(Fixture.offsets(fixture.poll(topic, ""))).hasSize(10).startsWith(0L);
        assertThat(Fixture.offsets(fixture.poll(topic, "kind=offset&value=5&count=2")))
                .containsExactly(5L, 6L);
        assertThat(Fixture.offsets(fixture.poll(topic, "kind=o&value=11"))).containsExactly(11L);
        assertThat(Fixture.offsets(fixture.poll(topic, "kind=l&count=3"))).containsExactly(9L, 10L, 11L);
        assertThat(Fixture.offsets(fixture.poll(topic, "kind=f&count=1"))).containsExactly(0L);
        String time = all.at("/messages/7/header/timestamp").toString();
        List<Long> since = Fixture.offsets(fixture.poll(topic, "kind=timestamp&count=100&value=" + time));
        assertThat(since).endsWith(11L).contains(7L);
        assertThat(all.at("/messages/" + since.getFirst() + "/header/timestamp").toString())
                .as("the first message appended at or after the time")
                .isEqualTo(time);
        for (String beyond : new String[] {"12", "9223372036854775807", "9223372036854775808", Fixture.NEVER}) {
            assertThat(fixture.poll(topic, "kind=offset&value=" + beyond)
                            .path("count")
                            .asInt(-1))
                    .isZero();
        }
        assertThat(fixture.poll(topic, "kind=t&value=" + Fixture.NEVER)
                        .path("count")
                        .asInt(-1))
                .isZero();
    }

    @Test
    void nextGoesOnAfterTheStoredOffsetAndAutoCommitStoresIt() {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a", "b", "c", "d");
        assertThat(Fixture.offsets(fixture.poll(topic, "kind=next&consumer_id=7&count=2&auto_commit=true")))
                .containsExactly(0L, 1L);
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(10))
                .until(() -> root.get(topic + "/consumer-offsets?consumer_id=7")
                                .response()
                                .getStatus()
                        == 200);
        assertThat(Fixture.offsets(fixture.poll(topic, "kind=n&consumer_id=7&count=2")))
                .containsExactly(2L, 3L);
        assertThat(Fixture.offsets(fixture.poll(topic, "kind=next&consumer_id=other&count=2")))
                .containsExactly(0L, 1L);
    }

    @Test
    void aMessageComesBackAsItWasSent() {
        String topic = fixture.topic(1);
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        String payload = Base64.getEncoder().encodeToString(bytes);
        String headers = "[{\"key\":{\"kind\":\"string\",\"value\":\"" + Fixture.base64("type")
                + "\"},\"value\":{\"kind\":\"uint16\",\"value\":\""
                + Base64.getEncoder().encodeToString(new byte[] {1, 2})
                + "\"}}]";
        String id = "340282366920938463463374607431768211455";
        root.post(
                        topic + "/messages",
                        "{\"partitioning\":" + Fixture.partition(0) + ",\"messages\":[{\"id\":\"" + id
                                + "\",\"size\":3,\"payload\":\"" + payload + "\",\"user_headers\":" + headers + "},"
                                + "{\"header\":{\"id\":18446744073709551615},\"payload\":\"MQ==\",\"user_headers\":null}]}")
                .expect(201);
        JsonNode polled = fixture.poll(topic, "kind=first");
        JsonNode first = polled.at("/messages/0");
        assertThat(first.path("payload").asString()).isEqualTo(payload);
        assertThat(first.at("/header/id").bigIntegerValue().toString()).isEqualTo(id);
        assertThat(first.at("/header/payload_length").asInt()).isEqualTo(256);
        assertThat(first.at("/header/reserved").asInt(-1)).isZero();
        assertThat(first.at("/header/origin_timestamp").asLong()).isPositive();
        assertThat(first.path("user_headers").toString()).isEqualTo(headers);
        JsonNode second = polled.at("/messages/1");
        assertThat(second.at("/header/id").bigIntegerValue().toString()).isEqualTo("18446744073709551615");
        assertThat(second.path("user_headers").isEmpty()).isTrue();
    }

    @Test
    void rawBodiesAndLinesAreMessagesAndARawPollGivesThemBack() throws Exception {
        String topic = fixture.topic(2);
        var one = send(
                topic + "/messages",
                "application/octet-stream",
                "raw body",
                "Keptlog-Partition",
                "1",
                "Keptlog-Message-Id",
                "7");
        assertThat(one.getStatus()).isEqualTo(201);
        var lines = send(topic + "/messages", "application/x-ndjson", "{\"a\":1}\n\nlast", "Keptlog-Partition", "1");
        assertThat(lines.getStatus()).isEqualTo(201);
        assertThat(lines.getContentAsString()).contains("\"stored_lines\":3").contains("\"base_offset\":1");
        var polled = mvc.perform(
                        MockMvcRequestBuilders.get(URI.create(topic + "/messages?partition_id=1&kind=first&count=10"))
                                .header("Authorization", root.authorization())
                                .header("Accept", "application/octet-stream"))
                .andReturn()
                .getResponse();
        assertThat(polled.getContentAsString()).isEqualTo("raw body\n{\"a\":1}\n\nlast\n");
        assertThat(polled.getHeader("Keptlog-First-Offset")).isEqualTo("0");
        assertThat(polled.getHeader("Keptlog-Next-Offset")).isEqualTo("4");
        assertThat(polled.getHeader("Keptlog-Count")).isEqualTo("4");
        assertThat(fixture.poll(topic, "partition_id=1&kind=first")
                        .at("/messages/0/header/id")
                        .asInt())
                .isEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"kind\":\"balanced\",\"value\":\"\"}|[]|4009",
                "{\"kind\":\"balanced\",\"value\":\"\"}|[{\"payload\":\"\"}]|4024",
                "{\"kind\":\"messages_key\",\"value\":\"\"}|[{\"payload\":\"MQ==\"}]|4028",
                "{\"kind\":\"partition_id\",\"value\":\"AAAA\"}|[{\"payload\":\"MQ==\"}]|4028",
                "{\"kind\":\"balanced\",\"value\":\"\"}|[{\"payload\":\"MQ==\",\"user_headers\":[{\"key\":{\"kind\":\"string\",\"value\":\"\"},\"value\":{\"kind\":\"raw\",\"value\":\"MQ==\"}}]}]|4018",
                "{\"kind\":\"balanced\",\"value\":\"\"}|[{\"payload\":\"MQ==\",\"user_headers\":[{\"key\":{\"kind\":\"string\",\"value\":\"MQ==\"},\"value\":{\"kind\":\"uint16\",\"value\":\"MQ==\"}}]}]|4019",
                "{\"kind\":\"balanced\",\"value\":\"\"}|[{\"payload\":\"!\"}]|4"
            })
    void aWrongBatchHasItsCodeAndStoresNothing(String partitioning, String messages, int id) {
        String topic = fixture.topic(1);
        JsonNode refused = root.post(
                        topic + "/messages", "{\"partitioning\":" + partitioning + ",\"messages\":" + messages + "}")
                .expect(400)
                .json();
        assertThat(refused.path("id").asInt()).as(refused.toString()).isEqualTo(id);
        assertThat(fixture.poll(topic, "kind=first").path("count").asInt(-1)).isZero();
    }

    @Test
    void headersOverAHundredThousandBytesUnknownMembersAndBigBodiesAreRefused() {
        String topic = fixture.topic(1);
        String raw = Base64.getEncoder().encodeToString(new byte[100_001]);
        root.post(
                        topic + "/messages",
                        "{\"partitioning\":" + BALANCED + ",\"messages\":[{\"payload\":\"MQ==\",\"user_headers\":\""
                                + raw + "\"}]}")
                .refused(400, 4017, "too_big_user_headers");
        root.post(
                        topic + "/messages",
                        "{\"more\":1,\"partitioning\":" + BALANCED + ",\"messages\":[{\"payload\":\"MQ==\"}]}")
                .expect(400);
        root.post(topic + "/messages", Fixture.body(BALANCED, "x".repeat(2_000_000)))
                .refused(413, 413, "payload_too_large");
        assertThat(fixture.poll(topic, "kind=first").path("count").asInt(-1)).isZero();
    }

    @Test
    void whatIsAbsentHasItsCodeWithEveryAck() {
        String topic = fixture.topic(1);
        String stream = topic.replaceAll("/topics.*", "");
        String body = Fixture.body(Fixture.partition(0), "x");
        for (String ack : new String[] {"", "?ack=none"}) {
            root.post("/streams/absent/topics/t/messages" + ack, body).refused(404, 1009, "stream_id_not_found");
            root.post(stream + "/topics/absent/messages" + ack, body).refused(404, 2010, "topic_id_not_found");
            root.post(topic + "/messages" + ack, Fixture.body(Fixture.partition(9), "x"))
                    .refused(404, 3007, "partition_not_found");
        }
        root.get("/streams/absent/topics/t/messages").refused(404, 404, "not_found");
        root.get(stream + "/topics/absent/messages").refused(404, 404, "not_found");
        root.get(topic + "/messages?partition_id=9").refused(404, 3007, "partition_not_found");
        root.post(fixture.topic(0) + "/messages", Fixture.body(BALANCED, "x"))
                .refused(404, 3007, "partition_not_found");
    }

    @ParameterizedTest
    @CsvSource({
        "count=0, 4009",
        "kind=sideways, 3",
        "auto_commit=perhaps, 3",
        "visibility=none, 3",
        "consumer_kind=consumer_group, 3",
        "value=-1, 4",
        "count=1e3, 4",
        "partition_id=4294967296, 4",
        "consumer_id=, 6",
        "consistency=eventual, 400"
    })
    void aWrongParameterOfAPollHasItsCode(String query, int id) {
        String topic = fixture.topic(1);
        JsonNode refused = root.get(topic + "/messages?" + query).expect(400).json();
        assertThat(refused.path("id").asInt()).as(refused.toString()).isEqualTo(id);
        assertThat(refused.path("field").asString("")).isEqualTo(query.replaceAll("=.*", ""));
    }
}
