// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Limits;
import io.keptlog.http.error.ErrorStatus;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;

/**
 * Each error that a client can cause, caused (http-api §5): its status, id, code and field, in the one form, and never twice for the
 * wrong reason. What only a fault of the machine causes is in {@link FaultsOverHttpTest}; together they are all codes there are.
 */
@ServerTest
class ErrorsOverHttpTest {
    /** Caused in tests of their own, because they need another set-up. */
    private static final Map<ErrorCode, Class<?>> ELSEWHERE = Map.of(
            ErrorCode.TOO_MANY_IN_FLIGHT_WRITES, AdmissionTest.class,
            ErrorCode.TOO_MANY_LIVE_READERS, LiveReadingTest.class,
            ErrorCode.SERVER_BUSY, AdmissionTest.class,
            ErrorCode.TOO_MANY_LOGIN_ATTEMPTS, LoginControllerTest.class,
            ErrorCode.INTERNAL_ERROR, RefusalsTest.class);

    /** In the contract's list, and nothing on one node causes them; how they look is in {@link ErrorFormsTest}. */
    private static final Map<ErrorCode, String> NEVER_ON_ONE_NODE = Map.of(
            ErrorCode.INVALID_CONFIGURATION, "stops the start",
            ErrorCode.INVALID_MESSAGE_PAYLOAD_LENGTH, "a JSON payload has no length of its own",
            ErrorCode.SEGMENT_NOT_FOUND, "segments are deleted by number, as far as there are any",
            ErrorCode.TRANSIENT_NOT_COMMITTED, "needs other nodes",
            ErrorCode.NOT_PRIMARY, "needs other nodes",
            ErrorCode.QUORUM_UNAVAILABLE, "needs other nodes",
            ErrorCode.PRECONDITION_FAILED, "Pulsar's path, which is the cluster's",
            ErrorCode.URI_TOO_LONG, "Tomcat answers 400",
            ErrorCode.HEADERS_TOO_LARGE, "Tomcat answers 400");

    private final MockMvc mvc;
    private final Api root;
    private final Fixture fixture;
    private String stream = "";
    private String topic = "";
    private String messages = "";

    @Autowired
    ErrorsOverHttpTest(MockMvc mvc) {
        this.mvc = mvc;
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @BeforeEach
    void aTopicWithAMessage() {
        topic = fixture.topic(1);
        stream = topic.replaceAll("/topics.*", "");
        messages = topic + "/messages";
        fixture.send(topic, 0, "there");
    }

    /** One way to an error, and the field that its body names; null when it names none. */
    private record Way(String field, Supplier<Api.Reply> request) {}

    private static Way way(String field, Supplier<Api.Reply> request) {
        return new Way(field, request);
    }

    private Map<ErrorCode, Way> ways() {
        Map<ErrorCode, Way> ways = new EnumMap<>(ErrorCode.class);
        users(ways);
        tokens(ways);
        catalog(ways);
        options(ways);
        produce(ways);
        groupsAndOffsets(ways);
        http(ways);
        return ways;
    }

    private void users(Map<ErrorCode, Way> ways) {
        Api stranger = Api.anonymous(mvc);
        ways.put(ErrorCode.INVALID_CREDENTIALS, way(null, () -> stranger.post("/users/login", user("iggy", "wrong"))));
        ways.put(ErrorCode.INVALID_USERNAME, way("username", () -> root.post("/users", user("ab", "a word"))));
        ways.put(ErrorCode.INVALID_PASSWORD, way("password", () -> root.post("/users", user("errors", "ab"))));
        ways.put(ErrorCode.USER_ALREADY_EXISTS, way("username", () -> root.post("/users", user("iggy", "a word"))));
        ways.put(ErrorCode.USER_NOT_FOUND, way("user_id", () -> root.delete("/users/absent")));
        ways.put(ErrorCode.CANNOT_DELETE_USER, way(null, () -> root.delete("/users/0")));
        ways.put(
                ErrorCode.CANNOT_CHANGE_PERMISSIONS,
                way(null, () -> root.put("/users/0/permissions", "{\"permissions\":null}")));
        ways.put(ErrorCode.UNAUTHENTICATED, way(null, () -> Api.bearer(mvc, "no.such.token")
                .get("/streams")));
        ways.put(ErrorCode.ACCESS_TOKEN_MISSING, way(null, () -> stranger.get("/streams")));
        ways.put(ErrorCode.UNAUTHORIZED, way(null, () -> {
            String name = Fixture.freshName("nobody");
            root.post("/users", user(name, "a word")).expect(200);
            return Api.basic(mvc, name, "a word").get("/streams");
        }));
        ways.put(ErrorCode.USER_INACTIVE, way(null, () -> {
            String name = Fixture.freshName("inactive");
            root.post("/users", user(name, "a word")).expect(200);
            String token = Api.basic(mvc, name, "a word")
                    .post("/personal-access-tokens", "{\"name\":\"one\",\"expiry\":0}")
                    .expect(200)
                    .json()
                    .path("token")
                    .asString();
            root.put("/users/" + name, "{\"status\":\"inactive\"}").expect(204);
            return stranger.post("/personal-access-tokens/login", "{\"token\":\"" + token + "\"}");
        }));
    }

    private static String user(String name, String password) {
        return "{\"username\":\"" + name + "\",\"password\":\"" + password + "\"}";
    }

    private void tokens(Map<ErrorCode, Way> ways) {
        String path = "/personal-access-tokens";
        ways.put(
                ErrorCode.INVALID_PERSONAL_ACCESS_TOKEN_NAME,
                way("name", () -> root.post(path, "{\"name\":\"ab\",\"expiry\":0}")));
        ways.put(
                ErrorCode.INVALID_PERSONAL_ACCESS_TOKEN_EXPIRY,
                way("expiry", () -> root.post(path, "{\"name\":\"odd\",\"expiry\":18446744073709551614}")));
        ways.put(ErrorCode.PERSONAL_ACCESS_TOKEN_ALREADY_EXISTS, way("name", () -> {
            String token = "{\"name\":\"" + Fixture.freshName("twice") + "\",\"expiry\":0}";
            root.post(path, token).expect(200);
            return root.post(path, token);
        }));
        ways.put(ErrorCode.PERSONAL_ACCESS_TOKENS_LIMIT_REACHED, way(null, () -> {
            String name = Fixture.freshName("collector");
            root.post("/users", user(name, "a word")).expect(200);
            Api api = Api.basic(mvc, name, "a word");
            for (int i = 0; i < Limits.TOKENS_PER_USER_MAX; i++) {
                api.post(path, "{\"name\":\"token-" + i + "\",\"expiry\":0}").expect(200);
            }
            return api.post(path, "{\"name\":\"one-more\",\"expiry\":0}");
        }));
        ways.put(ErrorCode.INVALID_PERSONAL_ACCESS_TOKEN, way(null, () -> Api.bearer(mvc, "kpt_0_nonsense")
                .get("/streams")));
    }

    private void catalog(Map<ErrorCode, Way> ways) {
        ways.put(ErrorCode.STREAM_NAME_ALREADY_EXISTS, way("name", () -> root.post("/streams", name(nameOf(stream)))));
        ways.put(ErrorCode.INVALID_STREAM_NAME, way("name", () -> root.post("/streams", name(""))));
        ways.put(ErrorCode.STREAM_ID_NOT_FOUND, way("stream_id", () -> root.delete("/streams/absent")));
        ways.put(
                ErrorCode.TOPIC_NAME_ALREADY_EXISTS,
                way("name", () -> root.post(stream + "/topics", Fixture.topicJson(nameOf(topic), 1, "{}"))));
        ways.put(
                ErrorCode.INVALID_TOPIC_NAME,
                way("name", () -> root.post(stream + "/topics", Fixture.topicJson("", 1, "{}"))));
        ways.put(ErrorCode.TOPIC_ID_NOT_FOUND, way("topic_id", () -> root.delete(stream + "/topics/absent")));
        ways.put(
                ErrorCode.TOO_MANY_PARTITIONS,
                way("partitions_count", () -> root.post(topic + "/partitions", "{\"partitions_count\":1001}")));
        ways.put(
                ErrorCode.INVALID_PARTITIONS_COUNT,
                way("partitions_count", () -> root.delete(topic + "/partitions?partitions_count=2")));
        ways.put(
                ErrorCode.PARTITION_NOT_FOUND,
                way("partition_id", () -> root.delete(topic + "/partitions/9?segments_count=1")));
        ways.put(ErrorCode.CLIENT_NOT_FOUND, way("client_id", () -> root.get("/clients/4000000000")));
        ways.put(ErrorCode.INVALID_IDENTIFIER, way("stream_id", () -> root.get("/streams/" + "x".repeat(256))));
    }

    private String nameOf(String path) {
        return root.get(path).expect(200).json().path("name").asString();
    }

    private static String name(String name) {
        return "{\"name\":\"" + name + "\"}";
    }

    private void options(Map<ErrorCode, Way> ways) {
        ways.put(ErrorCode.UNSUPPORTED_OPTION_KEY, way("color", () -> topicWith("{\"color\":\"red\"}")));
        ways.put(ErrorCode.INVALID_OPTION_VALUE, way("durability", () -> topicWith("{\"durability\":\"paper\"}")));
        ways.put(
                ErrorCode.INVALID_TOPIC_SIZE,
                way("max_topic_size", () -> topicWith("{\"max_topic_size\":\"1048576\"}")));
        ways.put(
                ErrorCode.OPTIONS_BLOCK_TOO_BIG,
                way("options", () -> topicWith("{\"k\":\"" + "v".repeat(100_001) + "\"}")));
    }

    private Api.Reply topicWith(String options) {
        return root.post(stream + "/topics", Fixture.topicJson(Fixture.freshName("refused"), 1, options));
    }

    private void produce(Map<ErrorCode, Way> ways) {
        ways.put(ErrorCode.INVALID_MESSAGES_COUNT, way("messages", () -> batch("")));
        ways.put(
                ErrorCode.TOO_BIG_USER_HEADERS,
                way(
                        "messages[0].user_headers",
                        () -> batch("{\"payload\":\"MQ==\",\"user_headers\":\"" + "A".repeat(133_336) + "\"}")));
        ways.put(
                ErrorCode.INVALID_HEADER_KEY,
                way("messages[0].user_headers[0].key.value", () -> batch(header("", "MQ=="))));
        ways.put(
                ErrorCode.INVALID_HEADER_VALUE,
                way("messages[0].user_headers[0].value.value", () -> batch(header("MQ==", ""))));
        ways.put(ErrorCode.EMPTY_MESSAGE_PAYLOAD, way("messages[0].payload", () -> batch("{\"payload\":\"\"}")));
        ways.put(
                ErrorCode.INVALID_KEY_VALUE_LENGTH,
                way(
                        "partitioning.value",
                        () -> root.post(messages, Fixture.body("{\"kind\":\"messages_key\",\"value\":\"\"}", "x"))));
        ways.put(ErrorCode.SEQUENCE_GAP, way("Keptlog-Producer-Sequence", () -> {
            by("71", "1", "0").expect(201);
            return by("71", "1", "5");
        }));
        ways.put(ErrorCode.PRODUCER_FENCED, way("Keptlog-Producer-Epoch", () -> {
            by("72", "2", "0").expect(201);
            return by("72", "1", "1");
        }));
        ways.put(
                ErrorCode.PAYLOAD_TOO_LARGE,
                way(null, () -> root.post(messages, Fixture.body(Fixture.partition(0), "x".repeat(2_000_000)))));
        ways.put(ErrorCode.BAD_REQUEST, way("ack", () -> root.post(messages + "?ack=persisted", "{}")));
        ways.put(ErrorCode.INVALID_FORMAT, way("messages[0].payload", () -> batch("{\"payload\":\"!\"}")));
        ways.put(ErrorCode.INVALID_COMMAND, way("kind", () -> root.get(messages + "?kind=sideways")));
    }

    private Api.Reply batch(String... all) {
        return root.post(
                messages,
                "{\"partitioning\":" + Fixture.partition(0) + ",\"messages\":[" + String.join(",", all) + "]}");
    }

    private static String header(String key, String value) {
        return "{\"payload\":\"MQ==\",\"user_headers\":[{\"key\":{\"kind\":\"string\",\"value\":\"" + key
                + "\"},\"value\":{\"kind\":\"raw\",\"value\":\"" + value + "\"}}]}";
    }

    private Api.Reply by(String producer, String epoch, String sequence) {
        return send(MockMvcRequestBuilders.post(URI.create(messages))
                .contentType("application/json")
                .header("Keptlog-Producer-Id", producer)
                .header("Keptlog-Producer-Epoch", epoch)
                .header("Keptlog-Producer-Sequence", sequence)
                .content(Fixture.body(Fixture.partition(0), "x")));
    }

    private Api.Reply send(MockHttpServletRequestBuilder request) {
        try {
            return new Api.Reply(mvc.perform(request.header("Authorization", root.authorization()))
                    .andReturn()
                    .getResponse());
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void groupsAndOffsets(Map<ErrorCode, Way> ways) {
        String groups = topic + "/consumer-groups";
        ways.put(ErrorCode.CONSUMER_GROUP_ID_NOT_FOUND, way("group_id", () -> root.delete(groups + "/7")));
        ways.put(ErrorCode.CONSUMER_GROUP_NAME_NOT_FOUND, way("group_id", () -> root.delete(groups + "/absent")));
        ways.put(ErrorCode.CONSUMER_GROUP_NAME_ALREADY_EXISTS, way("name", () -> {
            root.post(groups, name("g")).expect(200);
            return root.post(groups, name("g"));
        }));
        ways.put(ErrorCode.INVALID_CONSUMER_GROUP_NAME, way("name", () -> root.post(groups, name(""))));
        ways.put(
                ErrorCode.CONSUMER_OFFSET_NOT_FOUND,
                way("consumer_id", () -> root.delete(topic + "/consumer-offsets/99")));
        ways.put(
                ErrorCode.INVALID_OFFSET, way("offset", () -> root.put(topic + "/consumer-offsets", "{\"offset\":1}")));
        ways.put(ErrorCode.NOT_FOUND, way("consumer_id", () -> root.get(topic + "/consumer-offsets?consumer_id=99")));
    }

    private void http(Map<ErrorCode, Way> ways) {
        ways.put(
                ErrorCode.METHOD_NOT_ALLOWED,
                way(null, () -> send(MockMvcRequestBuilders.request(HttpMethod.PATCH, URI.create("/streams")))));
        ways.put(
                ErrorCode.NOT_ACCEPTABLE,
                way(
                        null,
                        () -> send(MockMvcRequestBuilders.get(URI.create("/streams"))
                                .header("Accept", "image/png"))));
        ways.put(
                ErrorCode.UNSUPPORTED_MEDIA_TYPE,
                way(
                        null,
                        () -> send(MockMvcRequestBuilders.post(URI.create("/streams"))
                                .contentType("text/plain")
                                .content("x"))));
    }

    static Stream<ErrorCode> clientErrors() {
        Set<ErrorCode> all = EnumSet.allOf(ErrorCode.class);
        all.removeAll(ELSEWHERE.keySet());
        all.removeAll(NEVER_ON_ONE_NODE.keySet());
        all.removeAll(FaultsOverHttpTest.CAUSED);
        return all.stream();
    }

    @ParameterizedTest
    @MethodSource("clientErrors")
    void anErrorHasItsStatusIdCodeAndField(ErrorCode code) {
        Way way = ways().get(code);
        assertThat(way).as("no way to " + code).isNotNull();
        Api.Reply reply = way.request().get().refused(ErrorStatus.of(code), code.id(), code.code());
        assertThat(reply.response().getContentType()).isEqualTo("application/json");
        String field = reply.json().path("field").isNull()
                ? null
                : reply.json().path("field").asString();
        assertThat(field).as(reply.body()).isEqualTo(way.field());
    }

    @Test
    void everyCodeIsCausedSomewhereOrHasAReasonNotToBe() {
        var caused = new TreeSet<>(ways().keySet());
        caused.addAll(ELSEWHERE.keySet());
        caused.addAll(NEVER_ON_ONE_NODE.keySet());
        caused.addAll(FaultsOverHttpTest.CAUSED);
        assertThat(caused).containsExactlyInAnyOrder(ErrorCode.values());
        assertThat(Arrays.stream(ErrorCode.values()).filter(c -> !ways().containsKey(c)))
                .hasSize(ELSEWHERE.size() + NEVER_ON_ONE_NODE.size() + FaultsOverHttpTest.CAUSED.size());
    }
}
