// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.util.RawValue;

/** Every member of every JSON body, replaced by what it is not: never a 5xx, and a refusal has the one form. */
@ServerTest
class OddBodiesTest {
    private static final List<String> ODD = List.of(
            "null",
            "1",
            "-1",
            "1.5",
            "1e400",
            "18446744073709551616",
            "true",
            "\"\"",
            "\"x\"",
            "\"\\u0000\"",
            "\"\\ud800\"",
            "[]",
            "[null]",
            "[[]]",
            "{}",
            "{\"\":null}",
            "{\"a\":null}",
            "{\"a\":{}}",
            "{\"1\":null}");

    private static String topic = "";

    private final MockMvc mvc;
    private final Api root;
    private final Fixture fixture;

    @Autowired
    OddBodiesTest(MockMvc mvc) {
        this.mvc = mvc;
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    @BeforeEach
    void aTopic() {
        if (topic.isEmpty()) {
            topic = fixture.topic(1);
            fixture.send(topic, 0, "there");
            root.post("/users", "{\"username\":\"odd-user\",\"password\":\"a word\"}")
                    .expect(200);
        }
    }

    static Stream<Arguments> bodies() {
        String permissions =
                "{\"global\":{\"read_servers\":true},\"streams\":{\"0\":{\"read_stream\":true,\"topics\":{\"0\":{\"read_topic\":true}}}}}";
        return Stream.of(
                Arguments.of(
                        "POST",
                        "/users/login",
                        "{\"username\":\"iggy\",\"password\":\"secret\",\"version\":\"1\",\"context\":\"\"}"),
                Arguments.of("POST", "/users/refresh-token", "{\"token\":\"x\"}"),
                Arguments.of("POST", "/personal-access-tokens/login", "{\"token\":\"x\"}"),
                Arguments.of("POST", "/personal-access-tokens", "{\"name\":\"x\",\"expiry\":1}"),
                Arguments.of(
                        "POST",
                        "/users",
                        "{\"username\":\"x\",\"password\":\"a word\",\"status\":\"active\",\"permissions\":"
                                + permissions + ",\"options\":{}}"),
                Arguments.of(
                        "PUT",
                        "/users/odd-user",
                        "{\"username\":\"odd-user\",\"status\":\"active\",\"options\":{\"a\":\"b\"}}"),
                Arguments.of("PUT", "/users/odd-user/permissions", "{\"permissions\":" + permissions + "}"),
                Arguments.of("PUT", "/users/odd-user/password", "{\"current_password\":\"x\",\"new_password\":\"y\"}"),
                Arguments.of("POST", "/streams", "{\"name\":\"\",\"options\":{\"a\":\"b\"}}"),
                Arguments.of("PUT", "/streams/absent", "{\"name\":\"x\",\"options\":{\"a\":\"b\"}}"),
                Arguments.of(
                        "POST",
                        "STREAM/topics",
                        "{\"name\":\"\",\"partitions_count\":1,\"compression_algorithm\":\"none\",\"message_expiry\":0,"
                                + "\"max_topic_size\":0,\"options\":{\"durability\":\"persisted\"}}"),
                Arguments.of(
                        "PUT",
                        "TOPIC",
                        "{\"name\":\"odd\",\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0,"
                                + "\"options\":{\"message_expiry\":\"7 days\"}}"),
                Arguments.of("POST", "TOPIC/partitions", "{\"partitions_count\":0}"),
                Arguments.of("POST", "TOPIC/consumer-groups", "{\"name\":\"\"}"),
                Arguments.of(
                        "PUT",
                        "TOPIC/consumer-offsets",
                        "{\"consumer_id\":1,\"consumer_kind\":\"consumer\",\"partition_id\":0,\"offset\":0}"),
                Arguments.of("POST", "/snapshot", "{\"compression\":\"Stored\",\"snapshot_types\":[\"Test\"]}"),
                Arguments.of(
                        "POST",
                        "TOPIC/messages",
                        "{\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"AAAAAA==\"},\"messages\":[{\"id\":1,"
                                + "\"payload\":\"MQ==\",\"user_headers\":[{\"key\":{\"kind\":\"string\",\"value\":\"aw==\"},"
                                + "\"value\":{\"kind\":\"raw\",\"value\":\"dg==\"}}],\"header\":{\"id\":2}}]}"));
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("bodies")
    void whatAMemberIsNotIsNeverAServersFault(String method, String path, String body) throws Exception {
        String to = path.replace("TOPIC", topic).replace("STREAM", topic.replaceAll("/topics.*", ""));
        JsonNode whole = JsonMapper.shared().readTree(body);
        for (String odd : ODD) {
            int unused = send(method, to, odd);
            replaced(method, to, whole, whole, odd);
        }
        for (String broken : new String[] {"", " ", "{", "{\"a\":", "nul", "[1,", "\u0000", body + "x", body + body}) {
            int status = send(method, to, broken);
            assertThat(status).as(broken).isBetween(400, 499);
        }
    }

    /** Overlong forms, surrogates, half a letter, other encodings: they would be a second spelling of a name, or a guess. */
    @ParameterizedTest
    @ValueSource(
            strings = {"c0af", "c080", "eda080", "ff", "c3", "f0808080", "f5808080", "e2 82", "fffe7b00", "00227b"})
    void whatIsNotUtf8IsRefusedInABody(String hex) throws Exception {
        byte[] odd = HexFormat.of().parseHex(hex.replace(" ", ""));
        byte[] head = "{\"name\":\"a".getBytes(StandardCharsets.UTF_8);
        byte[] tail = "\"}".getBytes(StandardCharsets.UTF_8);
        byte[] body = new byte[head.length + odd.length + tail.length];
        System.arraycopy(head, 0, body, 0, head.length);
        System.arraycopy(odd, 0, body, head.length, odd.length);
        System.arraycopy(tail, 0, body, head.length + odd.length, tail.length);
        for (byte[] one : new byte[][] {body, "{\"name\":\"u16\"}".getBytes(StandardCharsets.UTF_16)}) {
            for (String path : new String[] {"/streams", topic + "/messages"}) {
                MockHttpServletResponse response = mvc.perform(MockMvcRequestBuilders.post(URI.create(path))
                                .header("Authorization", root.authorization())
                                .contentType("application/json")
                                .content(one))
                        .andReturn()
                        .getResponse();
                assertThat(response.getStatus()).as(path + " " + hex).isEqualTo(400);
                ErrorForm.require(
                        response.getContentAsString(), JsonMapper.shared().readTree(response.getContentAsByteArray()));
            }
        }
    }

    /** Each member at every depth, one after the other. */
    private void replaced(String method, String path, JsonNode whole, JsonNode at, String odd) throws Exception {
        if (at instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                JsonNode former = object.get(name);
                object.putRawValue(name, new RawValue(odd));
                int unused = send(method, path, whole.toString());
                object.set(name, former);
                replaced(method, path, whole, former, odd);
            }
        } else if (at instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                JsonNode former = array.get(i);
                array.setRawValue(i, new RawValue(odd));
                int unused = send(method, path, whole.toString());
                array.set(i, former);
                replaced(method, path, whole, former, odd);
            }
        }
    }

    private int send(String method, String path, String body) throws Exception {
        MockHttpServletResponse response = mvc.perform(
                        MockMvcRequestBuilders.request(HttpMethod.valueOf(method), URI.create(path))
                                .header("Authorization", root.authorization())
                                .contentType("application/json")
                                .content(body))
                .andReturn()
                .getResponse();
        String what = method + " " + path + " " + body + " -> " + response.getStatus() + " "
                + (response.getStatus() < 300 ? "" : response.getContentAsString());
        assertThat(response.getStatus()).as(what).isLessThan(500);
        if (response.getStatus() >= 400) {
            ErrorForm.require(
                    response.getContentAsString(), JsonMapper.shared().readTree(response.getContentAsByteArray()));
        }
        return response.getStatus();
    }
}
