// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** Numbers at their borders, in bodies, queries and paths: exact, or 400; never cut, rounded or a 5xx. */
@ServerTest
class NumbersTableTest {
    private static final List<String> EXACT_U64 =
            List.of("0", "2147483648", "9007199254740993", "9223372036854775808", "18446744073709551615");
    private static final List<String> NO_U64 =
            List.of("-1", "18446744073709551616", "1e3", "1.0", "340282366920938463463374607431768211456");

    private final Api root;
    private final Fixture fixture;

    @Autowired
    NumbersTableTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @Test
    void expiryAndSizeOfATopicAreExact() {
        int stream = fixture.stream().path("id").asInt();
        for (String expiry : EXACT_U64) {
            String name = Fixture.freshName("expiry");
            JsonNode made = root.post(
                            "/streams/" + stream + "/topics",
                            Fixture.topicJson(name, 1, "{}")
                                    .replace("\"message_expiry\":0", "\"message_expiry\":" + expiry))
                    .expect(200)
                    .json();
            String expected = expiry.equals("0") ? Fixture.NEVER : expiry;
            assertThat(made.path("message_expiry").bigIntegerValue()).isEqualTo(new BigInteger(expected));
            assertThat(made.at("/options/message_expiry/value").asString()).isEqualTo(expected);
        }
        for (String bad : NO_U64) {
            for (String member : new String[] {"message_expiry", "max_topic_size"}) {
                root.post(
                                "/streams/" + stream + "/topics",
                                Fixture.topicJson("bad", 1, "{}")
                                        .replace("\"" + member + "\":0", "\"" + member + "\":" + bad))
                        .expect(400);
            }
        }
        root.get("/streams/" + stream + "/topics/bad").refused(404, 404, "not_found");
    }

    @Test
    void everyPollValueIsTakenExactlyOrRefused() {
        String topic = fixture.topic(1);
        fixture.send(topic, 0, "a", "b");
        for (String value : EXACT_U64) {
            for (String kind : new String[] {"offset", "timestamp"}) {
                int count = fixture.poll(topic, "kind=" + kind + "&value=" + value)
                        .path("count")
                        .asInt(-1);
                boolean everything =
                        value.equals("0") || kind.equals("timestamp") && new BigInteger(value).bitLength() < 40;
                assertThat(count).as(kind + " " + value).isEqualTo(everything ? 2 : 0);
            }
        }
        for (String bad :
                List.of("-1", "18446744073709551616", "1e3", "1.0", "%201", "1%20", "", "0x1", "+1", "%D9%A1")) {
            for (String parameter : new String[] {"value", "count", "partition_id"}) {
                root.get(topic + "/messages?" + parameter + "=" + bad).refused(400, 4, "invalid_format");
            }
            root.get(topic + "/consumer-offsets?partition_id=" + bad).refused(400, 4, "invalid_format");
            root.delete(topic + "/partitions?partitions_count=" + bad).expect(400);
            root.delete(topic + "/partitions/0?segments_count=" + bad).expect(400);
        }
        root.get(topic + "/messages?partition_id=2147483648").refused(404, 3007, "partition_not_found");
        root.get(topic + "/messages?partition_id=4294967295").refused(404, 3007, "partition_not_found");
        root.get(topic + "/messages?partition_id=4294967296").refused(400, 4, "invalid_format");
        assertThat(fixture.poll(topic, "count=4294967295").path("count").asInt())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"2147483648", "4294967295"})
    void largeIdsAreAbsentOnes(String id) {
        root.get("/streams/" + id).refused(404, 404, "not_found");
        root.delete("/streams/" + id).refused(404, 1009, "stream_id_not_found");
        root.get("/users/" + id).refused(404, 404, "not_found");
        root.delete("/users/" + id).refused(404, 20, "resource_not_found");
        String topic = fixture.topic(1);
        root.delete(topic + "/consumer-groups/" + id).refused(404, 5000, "consumer_group_id_not_found");
        root.get("/clients/" + id).refused(404, 100, "client_not_found");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1e3", "1.5", "4294967296", "\"1\"", "null", "true", "[]", "{}"})
    void aCountThatIsNoNumberOrTooLargeIsRefused(String count) {
        String topic = fixture.topic(1);
        root.post(topic + "/partitions", "{\"partitions_count\":" + count + "}").expect(400);
        assertThat(root.get(topic).json().path("partitions_count").asInt()).isEqualTo(1);
    }

    @Test
    void messageIdsAreExactUpToTheLargestU128() {
        String topic = fixture.topic(1);
        List<String> ids = List.of(
                "1",
                "9007199254740993",
                "18446744073709551615",
                "\"18446744073709551616\"",
                "\"340282366920938463463374607431768211455\"");
        for (String id : ids) {
            root.post(
                            topic + "/messages",
                            "{\"partitioning\":" + Fixture.partition(0) + ",\"messages\":[{\"id\":" + id
                                    + ",\"payload\":\"MQ==\"}]}")
                    .expect(201);
        }
        for (String bad : List.of(
                "-1", "1.0", "1e3", "18446744073709551616", "\"340282366920938463463374607431768211456\"", "true")) {
            root.post(
                            topic + "/messages",
                            "{\"partitioning\":" + Fixture.partition(0) + ",\"messages\":[{\"id\":" + bad
                                    + ",\"payload\":\"MQ==\"}]}")
                    .expect(400);
        }
        List<BigInteger> stored = fixture.poll(topic, "kind=first")
                .path("messages")
                .valueStream()
                .map(m -> m.at("/header/id").bigIntegerValue())
                .toList();
        assertThat(stored)
                .isEqualTo(ids.stream()
                        .map(i -> new BigInteger(i.replace("\"", "")))
                        .toList());
    }

    @Test
    void aTokensExpiryIsAnExactU64() {
        String name = Fixture.freshName("token");
        for (String bad : NO_U64) {
            root.post("/personal-access-tokens", "{\"name\":\"" + name + "\",\"expiry\":" + bad + "}")
                    .expect(400);
        }
        root.post("/personal-access-tokens", "{\"name\":\"" + name + "\",\"expiry\":" + Fixture.NEVER + "}")
                .expect(200);
        root.delete("/personal-access-tokens/" + name).expect(204);
    }
}
