// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.keptlog.access.AuditLog;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.web.servlet.MockMvc;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@ServerTest
class AuditLogTest {
    private final MockMvc mvc;
    private final Logger logger = (Logger) LoggerFactory.getLogger(AuditLog.LOGGER);
    private final ListAppender<ILoggingEvent> seen = new ListAppender<>();

    @Autowired
    AuditLogTest(MockMvc mvc) {
        this.mvc = mvc;
    }

    @BeforeEach
    void listen() {
        seen.start();
        logger.addAppender(seen);
    }

    @AfterEach
    void stop() {
        logger.detachAppender(seen);
    }

    private List<JsonNode> lines() {
        return seen.list.stream()
                .map(event -> JsonMapper.shared().readTree(event.getFormattedMessage()))
                .toList();
    }

    @Test
    void aChangeIsToldWithWhoWhatAndResult() {
        Api root = Api.root(mvc);
        root.post("/streams", "{\"name\":\"audited\"}").expect(200);
        root.delete("/streams/audited").expect(204);
        root.delete("/streams/audited").expect(404);
        assertThat(lines()).hasSize(3).allSatisfy(line -> {
            assertThat(line.path("user").asString()).isEqualTo("iggy");
            assertThat(line.path("user_id").asInt(-1)).isZero();
            assertThat(line.path("address").asString()).isEqualTo("127.0.0.1");
            assertThat(line.path("request_id").asString()).isNotEmpty();
        });
        JsonNode created = lines().getFirst();
        assertThat(created.path("event").asString()).isEqualTo("createStream");
        assertThat(created.path("subject").asString()).isEqualTo("audited");
        assertThat(created.path("path").asString()).isEqualTo("/streams");
        assertThat(created.path("result").asString()).isEqualTo("done");
        assertThat(lines().get(1).path("path").asString()).isEqualTo("/streams/audited");
        assertThat(lines().get(2).path("result").asString()).isEqualTo("refused");
        assertThat(lines().get(2).path("status").asInt()).isEqualTo(404);
    }

    @Test
    void whatMayNotBeDoneIsToldToo() {
        Api root = Api.root(mvc);
        root.post("/users", "{\"username\":\"audited-user\",\"password\":\"pw-in-no-log\",\"status\":\"active\"}")
                .expect(200);
        Api.basic(mvc, "audited-user", "pw-in-no-log")
                .post("/streams", "{\"name\":\"forbidden\"}")
                .expect(403);
        assertThat(lines()).hasSize(2);
        assertThat(lines().getFirst().path("subject").asString()).isEqualTo("audited-user");
        assertThat(lines().getLast().path("user").asString()).isEqualTo("audited-user");
        assertThat(lines().getLast().path("status").asInt()).isEqualTo(403);
    }

    @Test
    void noLineHasASecretAndNoTextOfAClientMakesALineOfItsOwn() {
        Api root = Api.root(mvc);
        root.post("/users", "{\"username\":\"audit-secrets\",\"password\":\"first-secret\",\"status\":\"active\"}")
                .expect(200);
        root.put(
                        "/users/audit-secrets/password",
                        "{\"current_password\":\"first-secret\",\"new_password\":\"second-secret\"}")
                .expect(204);
        String token = root.post("/personal-access-tokens", "{\"name\":\"audit-token\",\"expiry\":0}")
                .expect(200)
                .json()
                .path("token")
                .asString();
        Api.anonymous(mvc)
                .post("/users/login", "{\"username\":\"audit-secrets\",\"password\":\"second-secret\"}")
                .expect(200);
        Api.basic(mvc, "no\n{\"event\":\"forged\"}", "third-secret")
                .get("/streams")
                .expect(401);
        root.post("/streams", "{\"name\":\"a\\nforged\"}").expect(400);
        assertThat(lines()).hasSize(6);
        assertThat(seen.list).allSatisfy(event -> assertThat(event.getFormattedMessage())
                .doesNotContain("secret\"", "first-secret", "second-secret", "third-secret", token, "\n"));
        assertThat(lines().get(4).path("event").asString()).isEqualTo("login");
        assertThat(lines().get(4).path("result").asString()).isEqualTo("refused");
    }

    @Test
    void readsMessagesAndConsumerOffsetsAreNotAudited() {
        Api root = Api.root(mvc);
        root.post("/streams", "{\"name\":\"audit-data\"}").expect(200);
        root.post(
                        "/streams/audit-data/topics",
                        "{\"name\":\"t\",\"partitions_count\":1,\"compression_algorithm\":\"none\",\"message_expiry\":0,\"max_topic_size\":0}")
                .expect(200);
        seen.list.clear();
        root.post(
                        "/streams/audit-data/topics/t/messages",
                        "{\"partitioning\":{\"kind\":\"balanced\",\"value\":\"\"},\"messages\":[{\"payload\":\"YQ==\"}]}")
                .expect(201);
        root.get("/streams/audit-data/topics/t/messages?count=1").expect(200);
        root.put("/streams/audit-data/topics/t/consumer-offsets", "{\"consumer_id\":7,\"offset\":0}")
                .expect(204);
        root.post("/streams/audit-data/topics/t/partitions/0/flush", "").expect(200);
        root.get("/streams").expect(200);
        assertThat(seen.list).isEmpty();
    }
}
