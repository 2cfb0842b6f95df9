// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;

@ServerTest
class StreamControllerTest {
    private final MockMvc mvc;
    private final Api api;

    @Autowired
    StreamControllerTest(MockMvc mvc) {
        this.mvc = mvc;
        this.api = Api.root(mvc);
    }

    @Test
    void aStreamIsCreatedReadRenamedAndDeleted() {
        String path = Places.stream(api);
        var created = api.get(path).expect(200).json();
        assertThat(created.propertyNames())
                .containsExactlyInAnyOrder(
                        "id", "created_at", "name", "size", "messages_count", "topics_count", "options", "topics");
        assertThat(created.at("/size").asString()).isEqualTo("0 B");
        String byId = "/streams/" + created.at("/id").asInt();
        api.put(byId, "{\"name\":\"renamed " + created.at("/id") + "\"}").expect(204);
        api.get(path).refused(404, 404, "not_found");
        assertThat(api.get(byId).expect(200).json().at("/name").asString()).startsWith("renamed");
        api.delete(byId).expect(204);
        api.get(byId).refused(404, 404, "not_found");
        api.delete(byId).refused(404, 1009, "stream_id_not_found");
    }

    @Test
    void theListHoldsEveryStream() {
        String path = Places.stream(api);
        var list = api.get("/streams").expect(200).json();
        assertThat(list.isArray()).isTrue();
        assertThat(list.toString()).contains(path.substring("/streams/".length()));
    }

    @Test
    void badBodiesAreRefused() {
        api.post("/streams", "{}").expect(400);
        api.post("/streams", "{\"name\":null}").expect(400);
        api.post("/streams", "{\"name\":\"\"}").refused(400, 1013, "invalid_stream_name");
        api.post("/streams", "{\"name\":5}").refused(400, 4, "invalid_format");
        api.post("/streams", "{\"name\":").expect(400);
        api.post("/streams", "{\"name\":\"n\",\"options\":{\"ack_quorum\":\"2\"}}")
                .refused(400, 4041, "unsupported_option_key");
    }

    @Test
    void aTakenNameNamesItsField() {
        String path = Places.stream(api);
        String name = path.substring("/streams/".length());
        var error = api.post("/streams", "{\"name\":\"" + name + "\"}")
                .refused(400, 1012, "stream_name_already_exists")
                .json();
        assertThat(error.at("/field").asString()).isEqualTo("name");
        assertThat(error.at("/reason").asString()).contains(name);
    }

    @Test
    void namesOfAnyKindAreReachedPercentEncoded() {
        for (String encoded : new String[] {"a%2Fb", "a%3Bb", "100%25", "%F0%9F%98%80", "e%CC%81", "%20x%20"}) {
            String name = java.net.URLDecoder.decode(encoded, java.nio.charset.StandardCharsets.UTF_8);
            api.post("/streams", "{\"name\":\"" + name + "\"}").expect(200);
            assertThat(api.get("/streams/" + encoded)
                            .expect(200)
                            .json()
                            .at("/name")
                            .asString())
                    .isEqualTo(name);
            api.delete("/streams/" + encoded).expect(204);
        }
    }

    @Test
    void purgingEmptiesEveryTopic() {
        String topic = Places.topic(api, 1, "");
        api.post(topic + "/messages", Places.messages("YQ==")).expect(201);
        String stream = topic.substring(0, topic.indexOf("/topics"));
        assertThat(api.get(stream).json().at("/messages_count").asInt()).isEqualTo(1);
        api.delete(stream + "/purge").expect(204);
        assertThat(api.get(stream).json().at("/messages_count").asInt()).isZero();
    }

    @Test
    void nobodyUnknownReadsOrWrites() {
        Api.anonymous(mvc).get("/streams").refused(401, 77, "access_token_missing");
        Api.anonymous(mvc).post("/streams", "{\"name\":\"x\"}").refused(401, 77, "access_token_missing");
    }

    @Test
    void repliesCarryTheViewAndConsistencyIsChecked() {
        assertThat(api.get("/streams?consistency=linearizable")
                        .expect(200)
                        .response()
                        .getHeader("Iggy-View"))
                .isEqualTo("0");
        api.get("/streams?consistency=serializable").expect(200);
        var refusal = api.get("/streams?consistency=maybe").expect(400);
        assertThat(refusal.json().at("/field").asString()).isEqualTo("consistency");
        assertThat(refusal.response().getHeader("Iggy-View")).isEqualTo("0");
    }
}
