// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

@ServerTest
class StreamControllerTest {
    private final Api root;
    private final Fixture fixture;

    @Autowired
    StreamControllerTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @Test
    void aStreamIsCreatedListedAndFoundByIdAndName() {
        JsonNode made = fixture.stream();
        assertThat(made.propertyNames())
                .containsExactlyInAnyOrder(
                        "id", "created_at", "name", "size", "messages_count", "topics_count", "options", "topics");
        assertThat(made.path("size").asString()).isEqualTo("0 B");
        assertThat(made.path("messages_count").asInt(-1)).isZero();
        assertThat(made.path("topics").isArray()).isTrue();
        String id = made.path("id").toString();
        String name = made.path("name").asString();
        assertThat(root.get("/streams/" + id).expect(200).json()).isEqualTo(made);
        assertThat(root.get("/streams/" + name).expect(200).json()).isEqualTo(made);
        JsonNode listed = root.get("/streams")
                .expect(200)
                .json()
                .valueStream()
                .filter(s -> s.path("name").asString().equals(name))
                .findFirst()
                .orElseThrow();
        assertThat(listed.has("topics")).isFalse();
        assertThat(listed.path("created_at")).isEqualTo(made.path("created_at"));
    }

    @Test
    void countsAndSizesOfAStreamAreThoseOfItsTopics() {
        String topic = fixture.topic(2);
        fixture.send(topic, 0, "a", "b");
        fixture.send(topic, 1, "c");
        JsonNode stream =
                root.get(topic.replaceAll("/topics.*", "")).expect(200).json();
        assertThat(stream.path("messages_count").asInt()).isEqualTo(3);
        assertThat(stream.path("topics_count").asInt()).isEqualTo(1);
        assertThat(stream.path("size").asString()).isNotEqualTo("0 B").endsWith("B");
        assertThat(stream.at("/topics/0/messages_count").asInt()).isEqualTo(3);
        assertThat(stream.at("/topics/0/partitions_count").asInt()).isEqualTo(2);
    }

    @Test
    void aNameIsTakenOnceAndIsFreeAfterDeletionUnderANewId() {
        String name = Fixture.freshName("taken");
        int first = root.post("/streams", "{\"name\":\"" + name + "\"}")
                .expect(200)
                .json()
                .path("id")
                .asInt();
        JsonNode refused = root.post("/streams", "{\"name\":\"" + name + "\"}")
                .refused(400, 1012, "stream_name_already_exists")
                .json();
        assertThat(refused.path("field").asString()).isEqualTo("name");
        assertThat(refused.path("reason").asString()).contains(name);
        root.delete("/streams/" + name).expect(204);
        root.get("/streams/" + first).refused(404, 404, "not_found");
        int second = root.post("/streams", "{\"name\":\"" + name + "\"}")
                .expect(200)
                .json()
                .path("id")
                .asInt();
        assertThat(second).isGreaterThan(first);
    }

    @Test
    void aStreamIsRenamedToAFreeNameOrItsOwn() {
        String name = fixture.stream().path("name").asString();
        String other = fixture.stream().path("name").asString();
        root.put("/streams/" + name, "{\"name\":\"" + name + "\"}").expect(204);
        root.put("/streams/" + name, "{\"name\":\"" + other + "\"}").refused(400, 1012, "stream_name_already_exists");
        String next = Fixture.freshName("renamed");
        root.put("/streams/" + name, "{\"name\":\"" + next + "\"}").expect(204);
        root.get("/streams/" + next).expect(200);
        root.get("/streams/" + name).refused(404, 404, "not_found");
        root.put("/streams/" + next, "{\"name\":\"\"}").refused(400, 1013, "invalid_stream_name");
    }

    @Test
    void aNameHas1To255BytesAndNoControlCharacters() {
        for (String bad :
                new String[] {"", "x".repeat(256), "\u20ac".repeat(86), "a\\u0000b", "line\\nbreak", "\\ud800"}) {
            JsonNode refused = root.post("/streams", "{\"name\":\"" + bad + "\"}")
                    .expect(400)
                    .json();
            assertThat(refused.path("id").asInt()).as(bad + refused).isIn(1013, 4);
        }
        root.post("/streams", "{\"name\":\"" + "x".repeat(255) + "\"}").expect(200);
        root.delete("/streams/" + "x".repeat(255)).expect(204);
        root.post("/streams", "{}").expect(400);
        root.post("/streams", "{\"name\":1}").refused(400, 4, "invalid_format");
        root.post("/streams", "{\"name\":null}").expect(400);
    }

    @Test
    void whatIsAbsentIs404WithTheFieldInChanges() {
        for (Api.Reply reply : new Api.Reply[] {
            root.put("/streams/absent", "{\"name\":\"x\"}"),
            root.delete("/streams/absent"),
            root.delete("/streams/4294967295"),
            root.delete("/streams/absent/purge")
        }) {
            assertThat(reply.refused(404, 1009, "stream_id_not_found")
                            .json()
                            .path("field")
                            .asString())
                    .isEqualTo("stream_id");
        }
        root.get("/streams/absent").refused(404, 404, "not_found");
        root.get("/streams/" + "x".repeat(256)).refused(400, 6, "invalid_identifier");
    }

    @Test
    void streamOptionsBelongToAClusterAndAreRefusedByName() {
        JsonNode quorum = root.post("/streams", "{\"name\":\"quorum\",\"options\":{\"ensemble_size\":\"3\"}}")
                .refused(400, 4041, "unsupported_option_key")
                .json();
        assertThat(quorum.path("reason").asString()).contains("ensemble_size").contains("keptlog.cluster.metadata-uri");
        root.post("/streams", "{\"name\":\"quorum\",\"options\":{\"color\":\"red\"}}")
                .refused(400, 4041, "unsupported_option_key");
        root.post("/streams", "{\"name\":\"quorum\",\"options\":{\"a\":1}}").expect(400);
        root.post("/streams", "{\"name\":\"quorum\",\"options\":{\"a\":\"" + "x".repeat(100_001) + "\"}}")
                .refused(400, 4043, "options_block_too_big");
        root.get("/streams/quorum").refused(404, 404, "not_found");
    }

    @Test
    void purgeEmptiesEveryTopicAndItsOffsets() {
        String topic = fixture.topic(2);
        fixture.send(topic, 0, "a", "b");
        root.put(topic + "/consumer-offsets", "{\"consumer_id\":7,\"partition_id\":0,\"offset\":1}")
                .expect(204);
        String stream = topic.replaceAll("/topics.*", "");
        root.delete(stream + "/purge").expect(204);
        assertThat(fixture.poll(topic, "count=10").path("count").asInt(-1)).isZero();
        root.get(topic + "/consumer-offsets?consumer_id=7").refused(404, 404, "not_found");
        assertThat(fixture.send(topic, 0, "c")
                        .json()
                        .at("/confirmations/0/base_offset")
                        .asInt(-1))
                .isZero();
        assertThat(Fixture.payloads(fixture.poll(topic, "kind=first"))).containsExactly("c");
    }
}
