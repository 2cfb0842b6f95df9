// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;

/** Every operation asks who is calling and whether the caller may; each permission opens what Iggy's opens and nothing else. */
@ServerTest
class AuthorizationTest {
    private static final String SEND = Fixture.body(Fixture.partition(0), "x");

    private final MockMvc mvc;
    private final Fixture fixture;

    @Autowired
    AuthorizationTest(MockMvc mvc) {
        this.mvc = mvc;
        this.fixture = Fixture.of(mvc);
    }

    /** One call and the words that name it. */
    private record Call(String name, String method, String path, String body) {
        Api.Reply by(Api api) {
            return switch (method) {
                case "GET" -> api.get(path);
                case "DELETE" -> api.delete(path);
                case "PUT" -> api.put(path, body);
                default -> api.post(path, body);
            };
        }
    }

    /** Calls that need a permission on a stream or topic; none of them changes something that a later one needs. */
    private static List<Call> resourceCalls(String stream, String topic) {
        return List.of(
                new Call("list-streams", "GET", "/streams", ""),
                new Call("create-stream", "POST", "/streams", "{\"name\":\"\"}"),
                new Call("read-stream", "GET", stream, ""),
                new Call("manage-stream", "PUT", stream, "{\"name\":\"\"}"),
                new Call("list-topics", "GET", stream + "/topics", ""),
                new Call("create-topic", "POST", stream + "/topics", Fixture.topicJson("", 1, "{}")),
                new Call("read-topic", "GET", topic, ""),
                new Call("groups", "POST", topic + "/consumer-groups", "{\"name\":\"\"}"),
                new Call("explain", "GET", topic + "/durability", ""),
                new Call("consumers", "GET", topic + "/consumers", ""),
                new Call("manage-topic", "PUT", topic, "{\"name\":\"\"}"),
                new Call("partitions", "POST", topic + "/partitions", "{\"partitions_count\":0}"),
                new Call("segments", "DELETE", topic + "/partitions/0?segments_count=1", ""),
                new Call("poll", "GET", topic + "/messages", ""),
                new Call("offsets", "GET", topic + "/consumer-offsets?consumer_id=99", ""),
                new Call("send", "POST", topic + "/messages", SEND),
                new Call("barrier", "POST", topic + "/partitions/0/flush", ""),
                new Call("flush", "GET", topic + "/messages/flush/0/true", ""));
    }

    private static List<Call> otherCalls(String stream, String topic) {
        return List.of(
                new Call("delete-stream", "DELETE", stream, ""),
                new Call("purge-stream", "DELETE", stream + "/purge", ""),
                new Call("delete-topic", "DELETE", topic, ""),
                new Call("purge-topic", "DELETE", topic + "/purge", ""),
                new Call("remove-partitions", "DELETE", topic + "/partitions?partitions_count=1", ""),
                new Call("get-group", "GET", topic + "/consumer-groups/0", ""),
                new Call("list-groups", "GET", topic + "/consumer-groups", ""),
                new Call("delete-group", "DELETE", topic + "/consumer-groups/0", ""),
                new Call("store-offset", "PUT", topic + "/consumer-offsets", "{\"offset\":0}"),
                new Call("delete-offset", "DELETE", topic + "/consumer-offsets/1", ""),
                new Call("stats", "GET", "/stats", ""),
                new Call("clients", "GET", "/clients", ""),
                new Call("client", "GET", "/clients/1", ""),
                new Call("snapshot", "POST", "/snapshot", "{\"snapshot_types\":[\"Test\"]}"),
                new Call("recovery", "GET", "/recovery", ""),
                new Call("prometheus", "GET", "/actuator/prometheus", ""),
                new Call("users", "GET", "/users", ""),
                new Call("user", "GET", "/users/0", ""),
                new Call("create-user", "POST", "/users", "{\"username\":\"someone\",\"password\":\"a word\"}"),
                new Call("update-user", "PUT", "/users/0", "{}"),
                new Call("delete-user", "DELETE", "/users/0", ""),
                new Call("permissions", "PUT", "/users/0/permissions", "{\"permissions\":null}"),
                new Call(
                        "password",
                        "PUT",
                        "/users/0/password",
                        "{\"current_password\":\"secret\",\"new_password\":\"other\"}"));
    }

    private static List<Call> everything(String stream, String topic) {
        var all = new ArrayList<>(resourceCalls(stream, topic));
        all.addAll(otherCalls(stream, topic));
        return all;
    }

    private Api userWith(String permissions) {
        String name = Fixture.freshName("user");
        fixture.root()
                .post(
                        "/users",
                        "{\"username\":\"" + name + "\",\"password\":\"a word\",\"status\":\"active\",\"permissions\":"
                                + permissions + "}")
                .expect(200);
        return Api.session(mvc, name, "a word");
    }

    @Test
    void nobodyGetsNothingAndAUserWithoutPermissionsIsForbiddenAlsoWhatIsAbsent() {
        String topic = fixture.topic(1);
        String stream = topic.replaceAll("/topics.*", "");
        Api user = userWith("null");
        for (Call call : everything(stream, topic)) {
            JsonNode refused = call.by(Api.anonymous(mvc))
                    .refused(401, 77, "access_token_missing")
                    .json();
            assertThat(refused.path("reason").asString()).isNotBlank();
            call.by(Api.bearer(mvc, "no.valid.token")).refused(401, 40, "unauthenticated");
            call.by(user).refused(403, 41, "unauthorized");
        }
        for (Call call : everything("/streams/absent", "/streams/absent/topics/t")) {
            call.by(user).refused(403, 41, "unauthorized");
        }
        fixture.root().get(topic).expect(200);
    }

    @Test
    void whatEveryUserMay() {
        Api user = userWith("null");
        for (String path : new String[] {
            "/metrics",
            "/cluster/metadata",
            "/options/topic",
            "/options/stream",
            "/options/user",
            "/users/me",
            "/personal-access-tokens",
            "/ping"
        }) {
            user.get(path).expect(200);
        }
        Api.anonymous(mvc).get("/metrics").refused(401, 77, "access_token_missing");
        Api.anonymous(mvc).get("/users/me").refused(401, 77, "access_token_missing");
    }

    private String allowed(Api user, String stream, String topic) {
        var names = new ArrayList<String>();
        for (Call call : resourceCalls(stream, topic)) {
            int status = call.by(user).response().getStatus();
            if (status != 403) {
                assertThat(status).as(call.name()).isNotEqualTo(401).isLessThan(500);
                names.add(call.name());
            }
        }
        return String.join(" ", names);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "manage_streams|list-streams create-stream read-stream manage-stream list-topics create-topic read-topic groups"
                        + " explain consumers manage-topic partitions segments poll offsets send barrier flush",
                "read_streams|list-streams read-stream list-topics read-topic groups explain consumers poll offsets",
                "manage_topics|list-topics create-topic read-topic groups explain consumers manage-topic partitions segments poll offsets"
                        + " send barrier flush",
                "read_topics|list-topics read-topic groups explain consumers poll offsets",
                "poll_messages|poll offsets",
                "send_messages|send barrier flush",
                "manage_users|''",
                "read_servers|''"
            })
    void aGlobalPermissionOpensExactly(String flag, String expected) {
        String topic = fixture.topic(1);
        Api user = userWith("{\"global\":{\"" + flag + "\":true},\"streams\":null}");
        assertThat(allowed(user, topic.replaceAll("/topics.*", ""), topic)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "manage_stream|read-stream manage-stream list-topics create-topic read-topic groups explain consumers manage-topic"
                        + " partitions segments poll offsets send barrier flush",
                "read_stream|read-stream list-topics read-topic groups explain consumers poll offsets",
                "manage_topics|list-topics create-topic read-topic groups explain consumers manage-topic partitions segments poll offsets"
                        + " send barrier flush",
                "read_topics|list-topics read-topic groups explain consumers poll offsets",
                "poll_messages|poll offsets",
                "send_messages|send barrier flush"
            })
    void aPermissionOnAStreamOpensExactlyAndOnThatStreamOnly(String flag, String expected) {
        String topic = fixture.topic(1);
        String stream = topic.replaceAll("/topics.*", "");
        String id = stream.replaceAll(".*/", "");
        Api user = userWith("{\"global\":{},\"streams\":{\"" + id + "\":{\"" + flag + "\":true}}}");
        assertThat(allowed(user, stream, topic)).isEqualTo(expected);
        String other = fixture.topic(1);
        assertThat(allowed(user, other.replaceAll("/topics.*", ""), other)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "manage_topic|read-topic groups explain consumers manage-topic partitions segments poll offsets send barrier flush",
                "read_topic|read-topic groups explain consumers poll offsets",
                "poll_messages|poll offsets",
                "send_messages|send barrier flush"
            })
    void aPermissionOnATopicOpensExactlyAndOnThatTopicOnly(String flag, String expected) {
        String topic = fixture.topic(1);
        String stream = topic.replaceAll("/topics.*", "");
        Api user = userWith("{\"global\":{},\"streams\":{\"" + stream.replaceAll(".*/", "") + "\":{\"topics\":{\""
                + topic.replaceAll(".*/", "") + "\":{\"" + flag + "\":true}}}}}");
        assertThat(allowed(user, stream, topic)).isEqualTo(expected);
        int second = fixture.root()
                .post(stream + "/topics", Fixture.topicJson("second", 1, "{}"))
                .expect(200)
                .json()
                .path("id")
                .asInt();
        assertThat(allowed(user, stream, stream + "/topics/" + second)).isEmpty();
    }

    @Test
    void aPermissionThatIsTakenAwayIsGoneAtOnce() {
        String name = Fixture.freshName("changing");
        fixture.root()
                .post(
                        "/users",
                        "{\"username\":\"" + name
                                + "\",\"password\":\"a word\",\"permissions\":{\"global\":{\"read_streams\":true}}}")
                .expect(200);
        Api user = Api.session(mvc, name, "a word");
        user.get("/streams").expect(200);
        fixture.root()
                .put("/users/" + name + "/permissions", "{\"permissions\":null}")
                .expect(204);
        user.get("/streams").refused(403, 41, "unauthorized");
    }
}
