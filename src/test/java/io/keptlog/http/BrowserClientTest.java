// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The habits of browser clients of Iggy: JSON as content type on every request, and the bodies that their forms send. */
@ServerTest
class BrowserClientTest {
    private final MockMvc mvc;
    private final String token;

    @Autowired
    BrowserClientTest(MockMvc mvc) {
        this.mvc = mvc;
        this.token = Api.session(mvc, "iggy", "secret").authorization();
    }

    private JsonNode call(String method, String path, String body, int status) throws Exception {
        MockHttpServletResponse response = mvc.perform(
                        MockMvcRequestBuilders.request(HttpMethod.valueOf(method), URI.create(path))
                                .header("Authorization", token)
                                .header("Content-Type", "application/json")
                                .content(body))
                .andReturn()
                .getResponse();
        assertThat(response.getStatus())
                .as(method + " " + path + " " + response.getContentAsString())
                .isEqualTo(status);
        return response.getContentAsByteArray().length == 0
                ? JsonMapper.shared().nullNode()
                : JsonMapper.shared().readTree(response.getContentAsByteArray());
    }

    @Test
    void everyRequestSaysThatItIsJson() throws Exception {
        String name = Fixture.freshName("browser");
        int stream = call("POST", "/streams", "{\"name\":\"" + name + "\"}", 200)
                .path("id")
                .asInt();
        String topics = "/streams/" + stream + "/topics";
        call(
                "POST",
                topics,
                "{\"name\":\"t\",\"partitions_count\":1,\"compression_algorithm\":\"none\",\"message_expiry\":0,"
                        + "\"max_topic_size\":2000000000}",
                200);
        call(
                "PUT",
                topics + "/t",
                "{\"name\":\"t\",\"message_expiry\":0,\"max_topic_size\":0,\"compression_algorithm\":\"none\"}",
                204);
        call("POST", topics + "/t/messages", Fixture.body(Fixture.partition(0), "x"), 201);
        assertThat(call("GET", topics + "/t/messages?kind=offset&value=0&count=20&auto_commit=false", "", 200)
                        .path("count")
                        .asInt())
                .isEqualTo(1);
        call("GET", "/streams", "", 200);
        call("GET", "/stats", "", 200);
        call("DELETE", topics + "/t/purge", "", 204);
        call("DELETE", topics + "/t", "", 204);
        call("DELETE", "/streams/" + stream, "", 204);
    }

    @Test
    void aUserIsCreatedWithPermissionsOnAStreamWithoutTopics() throws Exception {
        String name = Fixture.freshName("form-user");
        JsonNode made = call(
                "POST",
                "/users",
                "{\"username\":\"" + name
                        + "\",\"password\":\"a word\",\"status\":\"active\",\"permissions\":{\"global\":{"
                        + "\"manage_servers\":false,\"read_servers\":true,\"manage_users\":false,\"read_users\":false,"
                        + "\"manage_streams\":false,\"read_streams\":false,\"manage_topics\":false,\"read_topics\":false,"
                        + "\"poll_messages\":false,\"send_messages\":false},\"streams\":{\"0\":{\"manage_stream\":false,"
                        + "\"read_stream\":true,\"manage_topics\":false,\"read_topics\":true,\"poll_messages\":true,"
                        + "\"send_messages\":false}}}}",
                200);
        assertThat(made.at("/permissions/streams/0/read_stream").asBoolean()).isTrue();
        assertThat(made.at("/permissions/streams/0/topics").isNull()).isTrue();
        call("DELETE", "/users/" + name, "", 204);
    }

    @Test
    void aTokenSaysWhoItIsForAndWhenItEnds() {
        String[] parts = token.split("\\.");
        JsonNode claims = JsonMapper.shared().readTree(Base64.getUrlDecoder().decode(parts[1]));
        assertThat(claims.path("sub").asString()).isEqualTo("0");
        assertThat(claims.path("exp").asLong()).isGreaterThan(System.currentTimeMillis() / 1000);
    }
}
