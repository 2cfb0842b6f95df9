// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.config.KeptlogProperties;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Names over a real port: taken and reachable percent-encoded, or refused with a clear error; never a path. */
@ServerTest
class NamesTableTest {
    private final Api root;

    @LocalServerPort
    int port;

    private final Path dataDir;

    @Autowired
    NamesTableTest(MockMvc mvc, KeptlogProperties properties) {
        this.root = Api.root(mvc);
        this.dataDir = properties.dataDir();
    }

    static Stream<String> namesThatAreReachable() {
        return Stream.of(
                "a/b",
                "%2F",
                "%252F",
                ";x",
                "a;b=c",
                "a\\b",
                "..%2f..",
                "../up",
                "x".repeat(255),
                "\u20ac".repeat(85),
                "caf\u00e9",
                "cafe\u0301",
                " leading",
                "trailing ",
                "trailing.",
                "...",
                "\uD83D\uDE00",
                "a?b#c",
                "a+b c",
                "-1",
                "4294967296",
                "1e3",
                "me",
                "CON",
                "\u202Ertl",
                "\u0663");
    }

    private static String json(String name) {
        return "{\"name\":" + JsonMapper.shared().writeValueAsString(name) + "}";
    }

    private RawExchange raw(String method, String path) {
        return RawExchange.request(port, method, path);
    }

    @ParameterizedTest
    @MethodSource
    void namesThatAreReachable(String name) {
        JsonNode made = root.post("/streams", json(name)).expect(200).json();
        assertThat(made.path("name").asString()).isEqualTo(name);
        String path = "/streams/" + Fixture.encoded(name);
        RawExchange found = raw("GET", path);
        assertThat(found.status()).as(path + " " + found.body()).isEqualTo(200);
        assertThat(found.json().path("id")).isEqualTo(made.path("id"));
        String topics = "/streams/" + made.path("id") + "/topics";
        String body = Fixture.topicJson("NAME", 1, "{}")
                .replace("\"NAME\"", JsonMapper.shared().writeValueAsString(name));
        root.post(topics, body).expect(200);
        RawExchange topic = raw("GET", path + "/topics/" + Fixture.encoded(name));
        assertThat(topic.json().path("name").asString()).isEqualTo(name);
        String groups = topics + "/0/consumer-groups";
        root.post(groups, json(name)).expect(200);
        assertThat(raw("GET", groups + "/" + Fixture.encoded(name))
                        .json()
                        .path("name")
                        .asString())
                .isEqualTo(name);
        assertThat(raw("DELETE", path).status()).isEqualTo(204);
        root.get("/streams/" + made.path("id")).refused(404, 404, "not_found");
    }

    @ParameterizedTest
    @ValueSource(strings = {".", ".."})
    void dotsAreNamesThatAreReachedByIdOnly(String name) {
        JsonNode made = root.post("/streams", json(name)).expect(200).json();
        for (String path : new String[] {"/streams/" + name, "/streams/%2e".repeat(name.length())}) {
            RawExchange answer = raw("GET", path);
            assertThat(answer.status()).as(path).isIn(400, 404);
            ErrorForm.require(answer);
        }
        root.get("/streams/" + made.path("id")).expect(200);
        root.delete("/streams/" + made.path("id")).expect(204);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a\u0000b", "\u0007", "line\nbreak", "\u0085", "\u007f"})
    void controlCharactersAndNothingAreRefused(String name) {
        root.post("/streams", json(name)).refused(400, 1013, "invalid_stream_name");
        if (!name.isEmpty()) {
            RawExchange answer = raw("GET", "/streams/" + Fixture.encoded(name));
            assertThat(answer.status()).isEqualTo(400);
            ErrorForm.require(answer);
        }
    }

    @Test
    void aNameOf256BytesIsRefusedEverywhere() {
        for (String name : new String[] {"x".repeat(256), "\u20ac".repeat(86)}) {
            root.post("/streams", json(name)).refused(400, 1013, "invalid_stream_name");
            RawExchange answer = raw("GET", "/streams/" + Fixture.encoded(name));
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.json().path("id").asInt()).isEqualTo(6);
        }
    }

    @Test
    void formsOfTheSameLettersAreDifferentNames() {
        int composed = root.post("/streams", json("nf\u00e9"))
                .expect(200)
                .json()
                .path("id")
                .asInt();
        int decomposed = root.post("/streams", json("nfe\u0301"))
                .expect(200)
                .json()
                .path("id")
                .asInt();
        assertThat(decomposed).isNotEqualTo(composed);
        assertThat(root.get("/streams/" + Fixture.encoded("nfe\u0301"))
                        .json()
                        .path("id")
                        .asInt())
                .isEqualTo(decomposed);
        assertThat(root.get("/streams/" + Fixture.encoded("nf\u00e9"))
                        .json()
                        .path("id")
                        .asInt())
                .isEqualTo(composed);
    }

    @Test
    void aNameIsNeverAPathOnDisk() throws Exception {
        JsonNode made = root.post("/streams", json("../../escaped")).expect(200).json();
        root.post("/streams/" + made.path("id") + "/topics", Fixture.topicJson("../../escaped/too", 1, "{}"))
                .expect(200);
        try (Stream<Path> files = Files.walk(dataDir)) {
            assertThat(files.map(Path::toString)
                            .filter(f -> f.contains("escaped"))
                            .toList())
                    .isEmpty();
        }
        assertThat(Files.exists(dataDir.resolve("../escaped"))).isFalse();
    }
}
