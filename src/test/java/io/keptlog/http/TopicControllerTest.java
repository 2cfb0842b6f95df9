// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@ServerTest
class TopicControllerTest {
    private final Api api;

    @Autowired
    TopicControllerTest(MockMvc mvc) {
        this.api = Api.root(mvc);
    }

    @Test
    void creationReportsEveryEffectiveOptionAndWhoChoseIt() {
        String topic = Places.topic(api, 2, "\"durability\":\"persisted\",\"segment_size\":\"128 MiB\"");
        var json = api.get(topic).expect(200).json();
        assertThat(json.propertyNames())
                .containsExactlyInAnyOrder(
                        "id",
                        "created_at",
                        "name",
                        "size",
                        "message_expiry",
                        "compression_algorithm",
                        "max_topic_size",
                        "replication_factor",
                        "messages_count",
                        "partitions_count",
                        "options",
                        "partitions");
        assertThat(json.at("/message_expiry").toString()).isEqualTo("18446744073709551615");
        assertThat(json.at("/replication_factor").asInt()).isEqualTo(1);
        assertThat(json.at("/options/durability").toString()).isEqualTo("{\"value\":\"persisted\",\"explicit\":true}");
        assertThat(json.at("/options/consumer_offset_durability").toString())
                .isEqualTo("{\"value\":\"replicated\",\"explicit\":false}");
        assertThat(json.at("/options/segment_size").toString())
                .isEqualTo("{\"value\":\"134217728\",\"explicit\":true}");
        assertThat(json.at("/options").size()).isEqualTo(9);
        assertThat(json.at("/partitions/1").propertyNames())
                .containsExactly("id", "created_at", "segments_count", "current_offset", "size", "messages_count");
        assertThat(json.at("/partitions/1/segments_count").asInt()).isEqualTo(1);
    }

    @Test
    void anUpdateIsAPatchAndACreateOnlyKeyChangesNothing() {
        String topic = Places.topic(api, 1, "");
        api.put(topic, "{\"name\":\"events\",\"message_expiry\":1000,\"options\":{\"durability\":\"replicated\"}}")
                .refused(400, 4041, "unsupported_option_key");
        assertThat(api.get(topic).json().at("/options/message_expiry/explicit").asBoolean())
                .isFalse();
        api.put(topic, "{\"name\":\"events\",\"options\":{\"message_expiry\":\"7 days\"}}")
                .expect(204);
        assertThat(api.get(topic).json().at("/message_expiry").toString()).isEqualTo("604800000000");
        api.put(topic, "{\"name\":\"other\",\"message_expiry\":0}").expect(204);
        var renamed = api.get(topic.replace("/events", "/other")).expect(200).json();
        assertThat(renamed.at("/message_expiry").toString()).isEqualTo("18446744073709551615");
    }

    @Test
    void badCreationsAreRefused() {
        String topics = Places.stream(api) + "/topics";
        api.post(topics, Places.createTopic("t", 1, "\"enforce_fsync\":\"true\""))
                .refused(400, 4041, "unsupported_option_key");
        api.post(topics, Places.createTopic("t", 1, "\"durability\":true")).expect(400);
        api.post(topics, Places.createTopic("t", 1, "\"segment_size\":\"1000\""))
                .refused(400, 4042, "invalid_option_value");
        api.post(topics, Places.createTopic("t", 1001, "")).refused(400, 2015, "too_many_partitions");
        api.post(topics, Places.createTopic("", 1, "")).refused(400, 2014, "invalid_topic_name");
        api.post(topics, "{\"name\":\"t\"}").expect(400);
        for (String number : new String[] {"-1", "1.0", "1e3", "\"0\"", "18446744073709551616"}) {
            api.post(
                            topics,
                            Places.createTopic("t", 1, "")
                                    .replace("\"message_expiry\": 0", "\"message_expiry\": " + number))
                    .expect(400);
        }
        api.post(topics, Places.createTopic("t", 1, "").replace("\"max_topic_size\": 0", "\"max_topic_size\": 1000"))
                .refused(400, 1019, "invalid_topic_size");
        assertThat(api.get(topics).expect(200).json().size()).isZero();
        api.post("/streams/999999/topics", Places.createTopic("t", 1, "")).refused(404, 1009, "stream_id_not_found");
    }

    @Test
    void unknownMembersAreIgnoredAndAnAbsentStreamHasNoTopics() {
        String topics = Places.stream(api) + "/topics";
        api.post(topics, Places.createTopic("t", 0, "").replace("{\"name\"", "{\"replication_factor\":3,\"name\""))
                .expect(200);
        assertThat(api.get("/streams/999999/topics").expect(200).body()).isEqualTo("[]");
    }

    @Test
    void aDeletedTopicLeavesNothingToItsSuccessor() {
        String topic = Places.topic(api, 1, "");
        api.post(topic + "/messages", Places.messages("YQ==")).expect(201);
        api.put(topic + "/consumer-offsets", "{\"consumer_id\":1,\"offset\":0}").expect(204);
        api.delete(topic).expect(204);
        api.get(topic).refused(404, 404, "not_found");
        String topics = topic.substring(0, topic.lastIndexOf('/'));
        api.post(topics, Places.createTopic("events", 1, "")).expect(200);
        assertThat(api.get(topic + "/messages").expect(200).json().at("/count").asInt())
                .isZero();
        api.get(topic + "/consumer-offsets").refused(404, 404, "not_found");
    }

    @Test
    void purgingBeginsAtZeroAgain() {
        String topic = Places.topic(api, 1, "");
        api.post(topic + "/messages", Places.messages("YQ==", "Yg==")).expect(201);
        api.delete(topic + "/purge").expect(204);
        var again = api.post(topic + "/messages", Places.messages("Yw=="))
                .expect(201)
                .json();
        assertThat(again.at("/confirmations/0/base_offset").asInt()).isZero();
    }
}
