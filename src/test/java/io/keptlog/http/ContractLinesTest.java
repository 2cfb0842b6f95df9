// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.databind.JsonNode;

/** Single sentences of the HTTP contract that belong to no other test: each test is one of them. */
@ServerTest
class ContractLinesTest {
    private final MockMvc mvc;
    private final Api root;
    private final Fixture fixture;

    @Autowired
    ContractLinesTest(MockMvc mvc) {
        this.mvc = mvc;
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    private MockHttpServletResponse send(MockHttpServletRequestBuilder request) throws Exception {
        return mvc.perform(request.header("Authorization", root.authorization()))
                .andReturn()
                .getResponse();
    }

    private MockHttpServletResponse lines(String topic, String body, String... headers) throws Exception {
        var request = MockMvcRequestBuilders.post(URI.create(topic + "/messages"))
                .header("Content-Type", "application/x-ndjson")
                .content(body.getBytes(StandardCharsets.UTF_8));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return send(request);
    }

    private MockHttpServletResponse rawPoll(String topic, String query) throws Exception {
        return send(MockMvcRequestBuilders.get(URI.create(topic + "/messages?" + query))
                .header("Accept", "application/octet-stream"));
    }

    @Test
    void membersThatAreUnknownInsidePartitioningOrAMessageAreIgnored() {
        String topic = fixture.topic(1);
        root.post(
                        topic + "/messages",
                        "{\"partitioning\":{\"length\":4,\"kind\":\"partition_id\",\"value\":\"AAAAAA==\",\"x\":[{}]},"
                                + "\"messages\":[{\"size\":1,\"header\":{\"id\":9,\"checksum\":0,\"more\":{}},"
                                + "\"payload\":\"MQ==\",\"extra\":{\"a\":[1,2]}}]}")
                .expect(201);
        assertThat(fixture.poll(topic, "kind=first").at("/messages/0/header/id").asInt())
                .isEqualTo(9);
        for (String member : List.of("\"extra\":1,", "\"stream_id\":0,", "\"Messages\":[],")) {
            root.post(
                            topic + "/messages",
                            "{" + member + "\"partitioning\":" + Fixture.partition(0)
                                    + ",\"messages\":[{\"payload\":\"MQ==\"}]}")
                    .expect(400);
        }
        assertThat(fixture.poll(topic, "kind=first").path("count").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "\"00000000000000000000000000000009\", 9",
        "\"00000000-0000-0000-0000-000000000010\", 16",
        "\"ffffffffffffffffffffffffffffffff\", 340282366920938463463374607431768211455",
        "\"FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF\", 340282366920938463463374607431768211455",
        "\"18446744073709551616\", 18446744073709551616",
        "18446744073709551615, 18446744073709551615"
    })
    void anIdIsANumberADecimalTextHexDigitsOrAUuid(String sent, String stored) {
        String topic = fixture.topic(1);
        root.post(
                        topic + "/messages",
                        "{\"partitioning\":" + Fixture.partition(0) + ",\"messages\":[{\"id\":" + sent
                                + ",\"payload\":\"MQ==\"}]}")
                .expect(201);
        assertThat(fixture.poll(topic, "kind=first").at("/messages/0/header/id").bigIntegerValue())
                .hasToString(stored);
    }

    @Test
    void withoutAnIdOrWithZeroTheServerAssignsRandomOnes() {
        String topic = fixture.topic(1);
        root.post(
                        topic + "/messages",
                        "{\"partitioning\":" + Fixture.partition(0) + ",\"messages\":[{\"payload\":\"MQ==\"},"
                                + "{\"id\":0,\"payload\":\"MQ==\"},{\"id\":\"0\",\"payload\":\"MQ==\"}]}")
                .expect(201);
        var ids = fixture.poll(topic, "kind=first")
                .path("messages")
                .valueStream()
                .map(m -> m.at("/header/id").bigIntegerValue())
                .toList();
        assertThat(ids).doesNotHaveDuplicates().allMatch(id -> id.bitLength() > 64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"name", "partitions_count", "compression_algorithm", "message_expiry", "max_topic_size"})
    void aNewTopicNeedsEachOfItsMembers(String member) {
        String topics = "/streams/" + fixture.stream().path("id") + "/topics";
        String whole = Fixture.topicJson("whole", 1, "{}");
        JsonNode refused = root.post(topics, whole.replace("\"" + member + "\"", "\"other\""))
                .expect(400)
                .json();
        assertThat(refused.path("field").asString()).isEqualTo(member);
        root.post(topics, whole.replaceFirst("}$", ",\"replication_factor\":3,\"topic_id\":5,\"stream_id\":1}"))
                .expect(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "true", "null", "1.5", "[]", "{}", "[\"1\"]"})
    void anOptionsValueIsATextOnly(String value) {
        String stream = "/streams/" + fixture.stream().path("id");
        String options = "{\"messages_required_to_save\":" + value + "}";
        root.post(stream + "/topics", Fixture.topicJson("t", 1, options)).expect(400);
        root.post("/streams", "{\"name\":\"" + Fixture.freshName("s") + "\",\"options\":" + options + "}")
                .expect(400);
        assertThat(root.get(stream + "/topics").json().size()).isZero();
    }

    @Test
    void anUpdateNeedsTheNameOnly() {
        String topic = fixture.topic(1);
        root.put(topic, "{}").expect(400);
        root.put(topic, "{\"message_expiry\":1000000}").expect(400);
        root.put(topic, "{\"name\":\"only\"}").expect(204);
    }

    @Test
    void defaultsOfOptionsAreLittleEndianBytes() {
        JsonNode topic = root.get("/options/topic").expect(200).json();
        assertThat(value(topic, "segment_size")).isEqualTo("[0,0,0,64,0,0,0,0]");
        assertThat(value(topic, "messages_required_to_save")).isEqualTo("[0,4,0,0]");
        assertThat(value(topic, "message_expiry")).isEqualTo("[255,255,255,255,255,255,255,255]");
        assertThat(value(topic, "preallocate_segments")).isEqualTo("[0]");
        byte[] replicated = "replicated".getBytes(StandardCharsets.UTF_8);
        assertThat(value(topic, "durability"))
                .isEqualTo(IntStream.range(0, replicated.length)
                        .mapToObj(i -> Integer.toString(replicated[i]))
                        .toList()
                        .toString()
                        .replace(" ", ""));
    }

    private static String value(JsonNode options, String key) {
        return options.valueStream()
                .filter(o -> o.path("key").asString().equals(key))
                .findFirst()
                .orElseThrow()
                .path("default_value")
                .toString();
    }

    @Test
    void ndjsonKeepsCarriageReturnsAndEmptyLinesInOnePartitionOverManyBatches() throws Exception {
        String topic = fixture.topic(3);
        String body = "a\r\n\r\n\n" + "x\n".repeat(2500) + "last";
        var stored = lines(topic, body, "Keptlog-Key", "one");
        assertThat(stored.getStatus()).isEqualTo(201);
        assertThat(stored.getContentAsString()).contains("\"stored_lines\":2504");
        int partition =
                Integer.parseInt(stored.getContentAsString().replaceAll("(?s).*\"partition_id\":(\\d+).*", "$1"));
        assertThat(rawPoll(topic, "partition_id=" + partition + "&kind=first&count=10000")
                        .getContentAsString())
                .isEqualTo(body + "\n");
        var balanced = lines(topic, "y\n".repeat(3000));
        assertThat(balanced.getContentAsString())
                .contains("\"base_offset\":")
                .contains("\"stored_lines\":3000")
                .containsOnlyOnce("partition_id");
        assertThat(lines(topic, "").getStatus()).as("nothing to store").isBetween(200, 499);
    }

    @Test
    void aRawPollIsBoundedAndSaysWhatIsMissing() throws Exception {
        String topic = fixture.topic(1, "{\"segment_size\":\"1 MiB\"}");
        lines(topic, "x\n".repeat(12_000));
        var bounded = rawPoll(topic, "kind=first&count=100000");
        assertThat(bounded.getHeader("Keptlog-Count")).isEqualTo("10000");
        assertThat(bounded.getHeader("Keptlog-Next-Offset")).isEqualTo("10000");
        assertThat(bounded.getHeader("Keptlog-Gap")).isNull();
        fixture.sealAndSync(topic, 2);
        root.delete(topic + "/partitions/0?segments_count=1").expect(204);
        var after = rawPoll(topic, "value=0&count=1");
        String first = String.valueOf(after.getHeader("Keptlog-First-Offset"));
        assertThat(after.getHeader("Keptlog-Gap")).isEqualTo("from=0, to=" + first + ", reason=deletion");
        assertThat(Long.parseLong(first)).isPositive();
    }

    @Test
    void aRawPollOfNothingIsEmptyAndSaysWhereItIs() throws Exception {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a");
        var beyond = rawPoll(topic, "value=1");
        assertThat(beyond.getStatus()).isEqualTo(200);
        assertThat(beyond.getContentAsByteArray()).isEmpty();
        assertThat(beyond.getHeader("Keptlog-Count")).isEqualTo("0");
        assertThat(beyond.getHeader("Keptlog-Next-Offset")).isEqualTo("1");
    }

    @Test
    void keptlogsOwnVersionIsInTheActuatorAndIggysInTheStatistics() {
        assertThat(root.get("/actuator/info")
                        .expect(200)
                        .json()
                        .path("build")
                        .path("version")
                        .asString())
                .isNotBlank()
                .isNotEqualTo("0.8.0");
        assertThat(root.get("/stats").json().path("iggy_server_version").asString())
                .isEqualTo("0.8.0");
    }

    @Test
    void everyKindOfAHeaderComesBackAndNumbersHaveTheirExactLength() {
        String topic = fixture.topic(1);
        String[] kinds = {
            "raw:3",
            "string:3",
            "bool:1",
            "int8:1",
            "int16:2",
            "int32:4",
            "int64:8",
            "int128:16",
            "uint8:1",
            "uint16:2",
            "uint32:4",
            "uint64:8",
            "uint128:16",
            "float32:4",
            "float64:8"
        };
        for (String kind : kinds) {
            String name = kind.replaceAll(":.*", "");
            int length = Integer.parseInt(kind.replaceAll(".*:", ""));
            root.post(topic + "/messages", withHeader(name, length)).expect(201);
            if (length != 3) {
                root.post(topic + "/messages", withHeader(name, length + 1)).refused(400, 4019, "invalid_header_value");
            }
        }
        JsonNode stored = fixture.poll(topic, "kind=first&count=100");
        assertThat(stored.path("messages")
                        .valueStream()
                        .map(m -> m.at("/user_headers/0/value/kind").asString())
                        .toList())
                .containsExactly(java.util.Arrays.stream(kinds)
                        .map(k -> k.replaceAll(":.*", ""))
                        .toArray(String[]::new));
        root.post(topic + "/messages", withHeader("int256", 32)).expect(400);
        root.post(topic + "/messages", withHeader("raw", 256)).refused(400, 4019, "invalid_header_value");
    }

    private static String withHeader(String kind, int length) {
        byte[] value = new byte[length];
        java.util.Arrays.fill(value, (byte) (kind.equals("bool") ? 1 : 'a'));
        return "{\"partitioning\":" + Fixture.partition(0)
                + ",\"messages\":[{\"payload\":\"MQ==\",\"user_headers\":[{\"key\":{\"kind\":\"string\",\"value\":\"aw==\"},"
                + "\"value\":{\"kind\":\"" + kind + "\",\"value\":\""
                + Base64.getEncoder().encodeToString(value) + "\"}}]}]}";
    }

    @Test
    void aNewTopicHasZeroToAThousandPartitions() {
        String topics = "/streams/" + fixture.stream().path("id") + "/topics";
        assertThat(root.post(topics, Fixture.topicJson("none", 0, "{}"))
                        .expect(200)
                        .json()
                        .path("partitions")
                        .size())
                .isZero();
        root.post(topics, Fixture.topicJson("many", 1001, "{}")).refused(400, 2015, "too_many_partitions");
        root.post(topics + "/none/partitions", "{\"partitions_count\":1}").expect(200);
        fixture.send(topics + "/none", 0, "usable at once");
    }

    @Test
    void whatAnAbsentThingAnswersInARead() {
        String topic = fixture.topic(1);
        String stream = topic.replaceAll("/topics.*", "");
        for (String path : new String[] {
            "/streams/absent",
            stream + "/topics/absent",
            topic + "/consumer-groups/absent",
            topic + "/consumer-offsets?consumer_id=absent",
            "/users/absent",
            stream + "/topics/absent/messages",
            stream + "/topics/absent/durability"
        }) {
            root.get(path).refused(404, 404, "not_found");
        }
        root.get(stream + "/topics/absent/consumer-groups").refused(404, 2010, "topic_id_not_found");
    }
}
