// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@ServerTest
class TopicControllerTest {
    private final Api root;
    private final Fixture fixture;
    private String topics = "";

    @Autowired
    TopicControllerTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @BeforeEach
    void aStream() {
        topics = "/streams/" + fixture.stream().path("id") + "/topics";
    }

    private Api.Reply create(String name, int partitions, String options) {
        return root.post(topics, Fixture.topicJson(name, partitions, options));
    }

    @Test
    void aNewTopicShowsEverythingAndItsPartitionsAreEmpty() {
        JsonNode made =
                create("t", 2, "{\"durability\":\"persisted\"}").expect(200).json();
        assertThat(made.propertyNames())
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
        assertThat(made.path("message_expiry").bigIntegerValue().toString()).isEqualTo(Fixture.NEVER);
        assertThat(made.path("max_topic_size").bigIntegerValue().toString()).isEqualTo(Fixture.NEVER);
        assertThat(made.path("replication_factor").asInt()).isEqualTo(1);
        assertThat(made.path("partitions").size()).isEqualTo(2);
        JsonNode partition = made.at("/partitions/1");
        assertThat(partition.propertyNames())
                .containsExactlyInAnyOrder(
                        "id", "created_at", "segments_count", "current_offset", "size", "messages_count");
        assertThat(partition.path("id").asInt()).isEqualTo(1);
        assertThat(partition.path("segments_count").asInt()).isEqualTo(1);
        assertThat(partition.path("current_offset").asInt(-1)).isZero();
        assertThat(partition.path("messages_count").asInt(-1)).isZero();
        assertThat(root.get(topics + "/t").expect(200).json()).isEqualTo(made);
        assertThat(root.get(topics + "/" + made.path("id")).expect(200).json()).isEqualTo(made);
        assertThat(root.get(topics).expect(200).json().get(0).has("partitions")).isFalse();
    }

    @Test
    void allEffectiveOptionsAreListedWithWhatWasNamed() {
        JsonNode options = create(
                        "t",
                        1,
                        "{\"durability\":\"replicated\",\"segment_size\":\"128 MiB\",\"message_expiry\":\"7 days\"}")
                .expect(200)
                .json()
                .path("options");
        assertThat(options.propertyNames())
                .containsExactlyInAnyOrder(
                        "compression_algorithm",
                        "message_expiry",
                        "max_topic_size",
                        "segment_size",
                        "durability",
                        "consumer_offset_durability",
                        "messages_required_to_save",
                        "size_of_messages_required_to_save",
                        "preallocate_segments");
        assertThat(options.at("/durability/explicit").asBoolean()).isTrue();
        assertThat(options.at("/consumer_offset_durability/explicit").asBoolean(true))
                .isFalse();
        assertThat(options.at("/segment_size/value").asString()).isEqualTo("134217728");
        assertThat(options.at("/message_expiry/value").asString()).isEqualTo("604800000000");
        assertThat(options.at("/messages_required_to_save/value").asString()).isEqualTo("1024");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "segment_size|1000|4042",
                "segment_size|1048575|4042",
                "segment_size|2147483648|4042",
                "messages_required_to_save|0|4042",
                "messages_required_to_save|16777217|4042",
                "size_of_messages_required_to_save|1073741825|4042",
                "preallocate_segments|yes|4042",
                "durability|paper|4042",
                "consumer_offset_durability|''|4042",
                "enforce_fsync|true|4041",
                "unknown|1|4041",
                "''|1|4041",
                "max_topic_size|1048576|1019"
            })
    void anOptionOutOfItsBoundsIsNamedAndNothingIsMade(String key, String value, int id) {
        JsonNode refused = create("t", 1, "{\"" + key + "\":\"" + value + "\"}")
                .expect(400)
                .json();
        assertThat(refused.path("id").asInt()).as(refused.toString()).isEqualTo(id);
        assertThat(refused.path("reason").asString()).contains(key);
        root.get(topics + "/t").refused(404, 404, "not_found");
    }

    @Test
    void aLongKeyIsCutAndABlockThatIsTooBigIsRefused() {
        JsonNode cut = create("t", 1, "{\"" + "k".repeat(300) + "\":\"1\"}")
                .refused(400, 4041, "unsupported_option_key")
                .json();
        assertThat(cut.path("reason").asString()).contains("k".repeat(64)).doesNotContain("k".repeat(65));
        create("t", 1, "{\"k\":\"" + "v".repeat(100_001) + "\"}").refused(400, 4043, "options_block_too_big");
        create("t", 1, "{\"segment_size\":134217728}").expect(400);
        create("t", 1, "{\"preallocate_segments\":true}").expect(400);
        create("t", 1000, "{\"preallocate_segments\":\"true\"}").refused(400, 4042, "invalid_option_value");
    }

    @Test
    void anUpdateIsAPatchAndReportsWhatItResolvedTo() {
        create("t", 1, "{\"message_expiry\":\"7 days\"}").expect(200);
        root.put(topics + "/t", "{\"name\":\"u\"}").expect(204);
        assertThat(root.get(topics + "/u")
                        .expect(200)
                        .json()
                        .path("message_expiry")
                        .asLong())
                .isEqualTo(604_800_000_000L);
        root.put(
                        topics + "/u",
                        "{\"name\":\"u\",\"message_expiry\":60000000,\"max_topic_size\":2000000000,"
                                + "\"compression_algorithm\":\"gzip\",\"replication_factor\":3}")
                .expect(204);
        JsonNode updated = root.get(topics + "/u").expect(200).json();
        assertThat(updated.path("message_expiry").asLong()).isEqualTo(60_000_000);
        assertThat(updated.path("max_topic_size").asLong()).isEqualTo(2_000_000_000);
        assertThat(updated.path("compression_algorithm").asString()).isEqualTo("gzip");
        root.put(topics + "/u", "{\"name\":\"u\",\"message_expiry\":0,\"max_topic_size\":0}")
                .expect(204);
        JsonNode defaults = root.get(topics + "/u").expect(200).json();
        assertThat(defaults.path("message_expiry").bigIntegerValue().toString()).isEqualTo(Fixture.NEVER);
        assertThat(defaults.path("max_topic_size").bigIntegerValue().toString()).isEqualTo(Fixture.NEVER);
        root.put(topics + "/u", "{\"name\":\"u\",\"options\":{\"message_expiry\":\"1 hour\"}}")
                .expect(204);
        assertThat(root.get(topics + "/u")
                        .json()
                        .at("/options/message_expiry/value")
                        .asString())
                .isEqualTo("3600000000");
    }

    @Test
    void aCreateOnlyKeyRefusesTheWholeUpdateEvenWithTheSameValue() {
        JsonNode made =
                create("t", 1, "{\"durability\":\"persisted\"}").expect(200).json();
        for (String key :
                new String[] {"durability", "consumer_offset_durability", "segment_size", "enforce_fsync", ""}) {
            root.put(
                            topics + "/t",
                            "{\"name\":\"changed\",\"message_expiry\":1,\"options\":{\"" + key + "\":\"persisted\"}}")
                    .refused(400, 4041, "unsupported_option_key");
        }
        assertThat(root.get(topics + "/t").expect(200).json()).isEqualTo(made);
        root.get(topics + "/changed").refused(404, 404, "not_found");
    }

    @Test
    void namesAndPartitionCountsHaveTheirCodes() {
        create("t", 1, "{}").expect(200);
        create("t", 1, "{}").refused(400, 2013, "topic_name_already_exists");
        create("u", 0, "{}").expect(200);
        root.put(topics + "/u", "{\"name\":\"t\"}").refused(400, 2013, "topic_name_already_exists");
        create("", 1, "{}").refused(400, 2014, "invalid_topic_name");
        create("x".repeat(256), 1, "{}").refused(400, 2014, "invalid_topic_name");
        create("v", 1001, "{}").refused(400, 2015, "too_many_partitions");
        create("v", -1, "{}").expect(400);
        root.post(topics, "{\"name\":\"v\",\"partitions_count\":1}").expect(400);
        root.get(topics + "/v").refused(404, 404, "not_found");
    }

    @Test
    void whatIsAbsentIs404AndAnAbsentStreamHasNoTopics() {
        assertThat(root.get("/streams/absent/topics").expect(200).json().size()).isZero();
        root.get("/streams/absent/topics/t").refused(404, 404, "not_found");
        root.post("/streams/absent/topics", Fixture.topicJson("t", 1, "{}")).refused(404, 1009, "stream_id_not_found");
        for (Api.Reply reply : new Api.Reply[] {
            root.put(topics + "/absent", "{\"name\":\"x\"}"),
            root.delete(topics + "/absent"),
            root.delete(topics + "/absent/purge")
        }) {
            assertThat(reply.refused(404, 2010, "topic_id_not_found")
                            .json()
                            .path("field")
                            .asString())
                    .isEqualTo("topic_id");
        }
        root.delete("/streams/absent/topics/t").refused(404, 1009, "stream_id_not_found");
    }

    @Test
    void aTopicOfTheSameNameInheritsNothing() {
        for (int life = 0; life < 3; life++) {
            create("again", 2, "{}").expect(200);
            String topic = topics + "/again";
            assertThat(fixture.poll(topic, "kind=first").path("count").asInt(-1))
                    .isZero();
            root.get(topic + "/consumer-offsets?consumer_id=1").refused(404, 404, "not_found");
            assertThat(root.get(topic + "/consumer-groups").expect(200).json().size())
                    .isZero();
            assertThat(fixture.send(topic, 0, "life " + life)
                            .json()
                            .at("/confirmations/0/base_offset")
                            .asInt(-1))
                    .isZero();
            assertThat(Fixture.payloads(fixture.poll(topic, "kind=first"))).containsExactly("life " + life);
            root.put(topic + "/consumer-offsets", "{\"consumer_id\":1,\"offset\":0}")
                    .expect(204);
            root.post(topic + "/consumer-groups", "{\"name\":\"g\"}").expect(200);
            root.delete(topic).expect(204);
            root.get(topic + "/messages").refused(404, 404, "not_found");
        }
    }
}
