// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Names of users, tokens and consumers at every kind of place (body, path, query), over a real port: reachable percent-encoded, or
 * refused with a clear error. Those of streams, topics and groups are in {@link NamesTableTest}.
 */
@ServerTest
class NamesEverywhereTest {
    private final Api root;
    private final Fixture fixture;

    @LocalServerPort
    int port;

    private static String topic = "";

    @Autowired
    NamesEverywhereTest(MockMvc mvc) {
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
    }

    /** One for all of them: making it costs more than all they do with it. */
    @BeforeEach
    void aTopic() {
        if (topic.isEmpty()) {
            topic = fixture.topic(1);
            fixture.send(topic, 0, "a", "b", "c");
        }
    }

    /** 3 to 30 bytes: what users and tokens take. */
    static Stream<String> namesOfMediumLength() {
        return Stream.of(
                "a/b",
                "%2F",
                "%252F",
                ";x=",
                "a;b=c",
                "a\\b",
                "..%2f..",
                "../up",
                "...",
                "caf\u00e9",
                "cafe\u0301",
                "  x  ",
                "trailing ",
                "trailing.",
                "\uD83D\uDE00\uD83D\uDE00",
                "a?b#c&d",
                "a+b c",
                "a:b@c",
                "4294967296",
                "CON.txt",
                "\u202Ertl");
    }

    private static String quoted(String name) {
        return JsonMapper.shared().writeValueAsString(name);
    }

    private RawExchange raw(String method, String path) {
        return RawExchange.request(port, method, path);
    }

    private RawExchange put(String path, String json) {
        return RawExchange.request(
                port,
                "PUT",
                path,
                "Content-Type: application/json",
                "Content-Length: " + json.getBytes(java.nio.charset.StandardCharsets.UTF_8).length + "\r\n\r\n" + json);
    }

    @ParameterizedTest
    @MethodSource("namesOfMediumLength")
    void aUserIsReachedByNameInPathsAndLogsInWithIt(String name) {
        JsonNode made = root.post("/users", "{\"username\":" + quoted(name) + ",\"password\":\"a:b \u20ac\"}")
                .expect(200)
                .json();
        assertThat(made.path("username").asString()).isEqualTo(name);
        String path = "/users/" + Fixture.encoded(name);
        RawExchange found = raw("GET", path);
        assertThat(found.status()).as(path + found.body()).isEqualTo(200);
        assertThat(found.json().path("id")).isEqualTo(made.path("id"));
        Api.session(root.mvc(), name.replace("\\", "\\\\"), "a:b \u20ac")
                .get("/users/me")
                .expect(200);
        if (!name.contains(":")) {
            Api.basic(root.mvc(), name, "a:b \u20ac").get("/users/me").expect(200);
        }
        assertThat(raw("DELETE", path).status()).isEqualTo(204);
        assertThat(raw("GET", path).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource("namesOfMediumLength")
    void aTokenIsListedAndDeletedByName(String name) {
        root.post("/personal-access-tokens", "{\"name\":" + quoted(name) + ",\"expiry\":0}")
                .expect(200);
        assertThat(root.get("/personal-access-tokens").json().toString()).contains(quoted(name));
        String path = "/personal-access-tokens/" + Fixture.encoded(name);
        assertThat(raw("DELETE", path).status()).as(path).isEqualTo(204);
        assertThat(raw("DELETE", path).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @MethodSource({"namesOfMediumLength", "namesOfAnyLength"})
    void aConsumerIsTheSameInBodyQueryAndPath(String name) {
        String offsets = topic + "/consumer-offsets";
        root.put(offsets, "{\"consumer_id\":" + quoted(name) + ",\"offset\":1}").expect(204);
        RawExchange stored = raw("GET", offsets + "?consumer_id=" + Fixture.encoded(name));
        assertThat(stored.status()).as(stored.body()).isEqualTo(200);
        assertThat(stored.json().path("stored_offset").asInt()).isEqualTo(1);
        RawExchange next = raw("GET", topic + "/messages?kind=next&consumer_id=" + Fixture.encoded(name));
        assertThat(next.json().at("/messages/0/header/offset").asInt()).isEqualTo(2);
        if (name.equals(".") || name.equals("..")) {
            RawExchange refused = raw("DELETE", offsets + "/" + name.replace(".", "%2e"));
            assertThat(refused.status()).isEqualTo(400);
            ErrorForm.require(refused);
            return;
        }
        RawExchange deleted = raw("DELETE", offsets + "/" + Fixture.encoded(name));
        assertThat(deleted.status()).as(deleted.body()).isEqualTo(204);
        assertThat(raw("GET", offsets + "?consumer_id=" + Fixture.encoded(name)).status())
                .isEqualTo(404);
    }

    static Stream<String> namesOfAnyLength() {
        return Stream.of(".", "..", " ", "/", "%", ";", "x".repeat(255), "\u20ac".repeat(85));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000bc", "bell\u0007", "line\nbreak", "\u0085abc", "abc\u007f"})
    void controlCharactersAndNothingAreRefusedAtEveryPlace(String name) {
        root.post("/users", "{\"username\":" + quoted(name) + ",\"password\":\"a word\"}")
                .refused(400, 43, "invalid_username");
        root.post("/personal-access-tokens", "{\"name\":" + quoted(name) + ",\"expiry\":0}")
                .refused(400, 50, "invalid_personal_access_token_name");
        if (name.isEmpty()) {
            root.get(topic + "/messages?consumer_id=").refused(400, 6, "invalid_identifier");
            root.get(topic + "/consumer-offsets?consumer_id=").refused(400, 6, "invalid_identifier");
            root.put(topic + "/consumer-offsets", "{\"consumer_id\":\"\",\"offset\":0}")
                    .refused(400, 6, "invalid_identifier");
            return;
        }
        for (String path : new String[] {
            "/users/%s", "/personal-access-tokens/%s", "/streams/%s", topic + "/consumer-offsets/%s", "/options/%s"
        }) {
            for (String method : new String[] {"GET", "DELETE"}) {
                RawExchange answer = raw(method, String.format(Locale.ROOT, path, Fixture.encoded(name)));
                assertThat(answer.status()).as(method + " " + path).isIn(400, 405);
                ErrorForm.require(answer);
            }
        }
    }

    @Test
    void lengthsAreCountedInBytesAtEveryPlace() {
        for (String name : new String[] {"x".repeat(256), "\u20ac".repeat(86)}) {
            String encoded = Fixture.encoded(name);
            root.post("/users", "{\"username\":" + quoted(name) + ",\"password\":\"a word\"}")
                    .refused(400, 43, "invalid_username");
            root.post("/personal-access-tokens", "{\"name\":" + quoted(name) + ",\"expiry\":0}")
                    .refused(400, 50, "invalid_personal_access_token_name");
            for (String path : new String[] {
                "/users/" + encoded,
                topic + "/messages?consumer_id=" + encoded,
                topic + "/consumer-offsets?consumer_id=" + encoded,
                "/streams/" + encoded + "/topics"
            }) {
                RawExchange answer = raw("GET", path);
                assertThat(answer.status()).as(path).isEqualTo(400);
                assertThat(answer.json().path("id").asInt()).isEqualTo(6);
            }
            RawExchange body = put(topic + "/consumer-offsets", "{\"consumer_id\":" + quoted(name) + ",\"offset\":0}");
            assertThat(body.status()).as(body.body()).isEqualTo(400);
            assertThat(body.json().path("id").asInt()).isEqualTo(6);
        }
    }

    @Test
    void whatIsNotUtf8IsRefusedInAQueryAsInAPath() {
        for (String bytes : new String[] {"%ff", "%c3", "%ed%a0%80", "%c0%ae", "%zz", "%4", "%"}) {
            for (String path : new String[] {topic + "/messages?consumer_id=a" + bytes, "/users/a" + bytes}) {
                RawExchange answer = raw("GET", path);
                assertThat(answer.status()).as(path + " " + answer.body()).isEqualTo(400);
                ErrorForm.require(answer);
            }
        }
    }
}
