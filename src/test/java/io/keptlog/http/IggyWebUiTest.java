// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The requests that Apache Iggy's web console makes, as its sources write them (web/src in apache/iggy), over a real port: JSON as content
 * type on every request, bearer token, the bodies of its forms; and the members that its mappers read, with the types they need. Each
 * test is named after the file.
 */
@ServerTest
class IggyWebUiTest {
    @LocalServerPort
    int port;

    private String token = "";

    @BeforeEach
    void signIn() {
        token = "";
        token = call("POST", "/users/login", "{\"username\":\"iggy\",\"password\":\"secret\"}", 200)
                .at("/access_token/token")
                .asString();
    }

    /** lib/api/clientApi.ts and fetchRouteApi.ts: an empty body where there is none to send. */
    private JsonNode call(String method, String path, String body, int status) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        RawExchange answer = RawExchange.send(
                port,
                method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept: */*\r\n"
                        + "Content-Type: application/json\r\n"
                        + (token.isEmpty() ? "" : "Authorization: Bearer " + token + "\r\n")
                        + (bytes.length == 0 ? "" : "Content-Length: " + bytes.length + "\r\n") + "\r\n" + body);
        assertThat(answer.status()).as(method + " " + path + " " + answer).isEqualTo(status);
        return answer.body().isEmpty()
                ? JsonMapper.shared().nullNode()
                : JsonMapper.shared().readTree(answer.body());
    }

    private int stream(String name) {
        return call("POST", "/streams", "{\"name\":\"" + name + "\"}", 200)
                .path("id")
                .asInt();
    }

    @Test
    void authStoreDecodesTheTokenAndKeepsItUntilItsExpiry() {
        JsonNode identity = call("POST", "/users/login", "{\"username\":\"iggy\",\"password\":\"secret\"}", 200);
        assertThat(identity.at("/access_token/expiry").asLong())
                .as("seconds, for a cookie's date")
                .isBetween(System.currentTimeMillis() / 1000, System.currentTimeMillis() / 1000 + 4000);
        String claims = new String(
                Base64.getUrlDecoder()
                        .decode(identity.at("/access_token/token").asString().split("\\.")[1]),
                StandardCharsets.UTF_8);
        assertThat(JsonMapper.shared().readTree(claims).path("sub").isString()).isTrue();
        JsonNode refreshed = call("POST", "/users/refresh-token", "{\"token\":\"" + token + "\"}", 200);
        assertThat(refreshed.path("user_id").asInt(-1)).isZero();
    }

    @Test
    void signInShowsTheReasonOfAWrongPassword() {
        token = "";
        JsonNode refused = call("POST", "/users/login", "{\"username\":\"iggy\",\"password\":\"wrong\"}", 400);
        assertThat(refused.path("reason").asString()).isNotBlank();
        call("GET", "/stats", "", 401);
    }

    @Test
    void statsHasWhatTheOverviewShows() {
        JsonNode stats = call("GET", "/stats", "", 200);
        assertThat(stats.path("cpu_usage").isNumber())
                .as("toFixed is called on it")
                .isTrue();
        for (String number : new String[] {
            "process_id",
            "run_time",
            "start_time",
            "streams_count",
            "topics_count",
            "partitions_count",
            "segments_count",
            "messages_count",
            "clients_count",
            "consumer_groups_count"
        }) {
            assertThat(stats.path(number).isIntegralNumber()).as(number).isTrue();
        }
        for (String text : new String[] {
            "memory_usage",
            "total_memory",
            "available_memory",
            "read_bytes",
            "written_bytes",
            "messages_size_bytes",
            "hostname",
            "os_name",
            "os_version",
            "kernel_version",
            "iggy_server_version"
        }) {
            assertThat(stats.path(text).isString()).as(text).isTrue();
        }
    }

    @Test
    void streamAndStreamDetailsHaveWhatTheirMappersRead() {
        int id = stream("ui-streams");
        JsonNode listed = call("GET", "/streams", "", 200)
                .valueStream()
                .filter(s -> s.path("id").asInt() == id)
                .findFirst()
                .orElseThrow();
        for (JsonNode stream : new JsonNode[] {listed, call("GET", "/streams/" + id, "", 200)}) {
            assertThat(stream.path("name").asString()).isEqualTo("ui-streams");
            assertThat(stream.path("size").isString()).isTrue();
            assertThat(stream.path("messages_count").isIntegralNumber()).isTrue();
            assertThat(stream.path("topics_count").isIntegralNumber()).isTrue();
            assertThat(stream.path("created_at").asLong()).isPositive();
        }
        assertThat(call("GET", "/streams/" + id, "", 200).path("topics").isArray())
                .isTrue();
        call("PUT", "/streams/" + id, "{\"name\":\"ui-streams-renamed\"}", 204);
        JsonNode taken = call("POST", "/streams", "{\"name\":\"ui-streams-renamed\"}", 400);
        assertThat(taken.path("field").asString()).as("the form's field").isEqualTo("name");
        call("DELETE", "/streams/" + id, "", 204);
        call("GET", "/streams/" + id, "", 404);
    }

    @Test
    void addTopicModalAndTopicSettingsModalSendTheirForms() {
        int stream = stream("ui-topics");
        String topics = "/streams/" + stream + "/topics";
        JsonNode made = call(
                "POST",
                topics,
                "{\"stream_id\":" + stream + ",\"topic_id\":7,\"name\":\"events\",\"partitions_count\":1,"
                        + "\"message_expiry\":0,\"compression_algorithm\":\"none\",\"max_topic_size\":1073741824}",
                200);
        String topic = topics + "/" + made.path("id");
        call("GET", topics, "", 200);
        JsonNode details = call("GET", topic, "", 200);
        assertThat(details.path("size").isString()).isTrue();
        assertThat(details.path("compression_algorithm").asString()).isEqualTo("none");
        JsonNode partition = details.at("/partitions/0");
        for (String number : new String[] {"id", "segments_count", "current_offset", "messages_count", "created_at"}) {
            assertThat(partition.path(number).isIntegralNumber()).as(number).isTrue();
        }
        assertThat(partition.path("size").isString()).isTrue();
        call("PUT", topic, "{\"name\":\"events\",\"message_expiry\":60000000}", 204);
        call(
                "PUT",
                topic,
                "{\"name\":\"renamed\",\"message_expiry\":0,\"compression_algorithm\":\"none\",\"max_topic_size\":0}",
                204);
        assertThat(call("GET", topic, "", 200).path("name").asString()).isEqualTo("renamed");
        call("POST", topic + "/partitions", "{\"partitions_count\":2}", 200);
        call("DELETE", topic + "/partitions?partitions_count=2", "", 204);
        call("DELETE", topic, "", 204);
        JsonNode small = call(
                "POST",
                topics,
                "{\"stream_id\":" + stream + ",\"name\":\"small\",\"partitions_count\":1,\"message_expiry\":0,"
                        + "\"compression_algorithm\":\"none\",\"max_topic_size\":1000000000}",
                400);
        assertThat(small.path("field").asString())
                .as("below the segment size, told in the form")
                .isEqualTo("max_topic_size");
    }

    @Test
    void messagesPageReadsTheFirstOffsetAndThenTheNewestPage() {
        int stream = stream("ui-messages");
        String topics = "/streams/" + stream + "/topics";
        String topic = topics + "/"
                + call("POST", topics, Fixture.topicJson("events", 1, "{}"), 200)
                        .path("id");
        JsonNode empty =
                call("GET", topic + "/messages?kind=offset&value=0&count=1&auto_commit=false&partition_id=0", "", 200);
        assertThat(empty.path("current_offset").isIntegralNumber()).isTrue();
        assertThat(empty.path("messages").isArray()).isTrue();
        for (int i = 0; i < 25; i++) {
            call("POST", topic + "/messages", Fixture.body(Fixture.partition(0), "m" + i), 201);
        }
        JsonNode first =
                call("GET", topic + "/messages?kind=offset&value=0&count=1&auto_commit=false&partition_id=0", "", 200);
        long total = first.path("current_offset").asLong() + 1;
        JsonNode page = call(
                "GET",
                topic + "/messages?kind=offset&value=" + (total - 20) + "&count=20&auto_commit=false&partition_id=0",
                "",
                200);
        assertThat(page.path("messages").size()).isEqualTo(20);
        JsonNode message = page.at("/messages/0");
        for (String number : new String[] {
            "checksum", "id", "offset", "timestamp", "origin_timestamp", "user_headers_length", "payload_length"
        }) {
            assertThat(message.path("header").path(number).isIntegralNumber())
                    .as(number)
                    .isTrue();
        }
        assertThat(message.path("payload").isString()).isTrue();
        assertThat(message.path("user_headers").isArray()).isTrue();
    }

    @Test
    void addUserModalAndPermissionsManagerSendTheirForms() {
        int stream = stream("ui-users");
        String nothing = "\"manage_servers\":false,\"read_servers\":false,\"manage_users\":false,\"read_users\":false,"
                + "\"manage_streams\":false,\"read_streams\":true,\"manage_topics\":false,\"read_topics\":false,"
                + "\"poll_messages\":false,\"send_messages\":false";
        JsonNode made = call(
                "POST",
                "/users",
                "{\"username\":\"ui-user\",\"password\":\"a word\",\"status\":\"active\",\"permissions\":{\"global\":{"
                        + nothing + "},\"streams\":{\"" + stream
                        + "\":{\"manage_stream\":false,\"read_stream\":true,\"manage_topics\":false,\"read_topics\":false,"
                        + "\"poll_messages\":false,\"send_messages\":false,\"topics\":{\"0\":{\"manage_topic\":true,"
                        + "\"read_topic\":false,\"poll_messages\":false,\"send_messages\":false}}}}}}",
                200);
        assertThat(made.at("/permissions/streams/" + stream + "/topics/0/manage_topic")
                        .asBoolean())
                .isTrue();
        JsonNode user = call("GET", "/users/" + made.path("id"), "", 200);
        assertThat(user.at("/permissions/global/read_streams").asBoolean()).isTrue();
        for (JsonNode one : call("GET", "/users", "", 200)) {
            assertThat(one.path("status").asString()).isIn("active", "inactive");
            assertThat(one.path("created_at").asLong()).isPositive();
        }
        JsonNode bad = call(
                "POST",
                "/users",
                "{\"username\":\"x\",\"password\":\"a word\",\"status\":\"active\"," + "\"permissions\":null}",
                400);
        assertThat(bad.path("field").asString()).isEqualTo("username");
        call(
                "PUT",
                "/users/" + made.path("id") + "/password",
                "{\"current_password\":\"a word\",\"new_password\":\"another\"}",
                204);
        call(
                "PUT",
                "/users/" + made.path("id") + "/permissions",
                "{\"permissions\":{\"global\":{" + nothing + "},\"streams\":{}}}",
                204);
        call("DELETE", "/users/" + made.path("id"), "", 204);
    }
}
