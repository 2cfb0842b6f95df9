// SPDX-License-Identifier: Apache-2.0
package io.keptlog.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keptlog.Keptlog;
import io.keptlog.config.KeptlogProperties;
import io.keptlog.domain.ErrorCode;
import io.keptlog.domain.Limits;
import io.keptlog.http.error.ErrorStatus;
import io.keptlog.storage.file.FaultyFiles;
import io.keptlog.storage.file.FaultyFiles.Call;
import io.keptlog.storage.file.FileLayer;
import io.keptlog.storage.file.FileLayers;
import io.keptlog.storage.file.NoSpaceException;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.boot.webmvc.test.autoconfigure.MockMvcPrint;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import tools.jackson.databind.JsonNode;

/**
 * What a client is told when the machine fails: a full, slow, failing or damaged disk, a client that stops sending, a stop (http-api §5).
 * A server of its own on a file layer that fails on demand. The tests are in an order: what stays fenced comes last.
 */
@SpringBootTest(
        classes = Keptlog.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = {
            "keptlog.root-username=iggy",
            "keptlog.root-password=secret",
            "keptlog.data-dir=target/test-data/faults-test-${random.uuid}",
            "keptlog.retention-interval=1d",
            "keptlog.write-timeout=700ms",
            "keptlog.max-request-body=70000000B",
            "server.tomcat.connection-timeout=1s"
        })
@AutoConfigureMockMvc(print = MockMvcPrint.NONE)
@Import({ServerTest.QuickHashing.class, FaultsOverHttpTest.Faults.class})
@DirtiesContext
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsOverHttpTest {
    /** The errors that these tests cause; the last of them checks it. */
    static final Set<ErrorCode> CAUSED = EnumSet.of(
            ErrorCode.REQUEST_TIMEOUT,
            ErrorCode.TOO_BIG_MESSAGE_PAYLOAD,
            ErrorCode.TOO_MANY_MESSAGES,
            ErrorCode.PRODUCE_TIMEOUT,
            ErrorCode.OFFSET_WRITE_TIMEOUT,
            ErrorCode.PARTITION_READ_TIMEOUT,
            ErrorCode.TRANSIENT_NOT_ACCEPTED,
            ErrorCode.NO_SPACE,
            ErrorCode.PARTITION_DAMAGED,
            ErrorCode.SYNC_FAILED,
            ErrorCode.PARTITION_FENCED,
            ErrorCode.OFFSETS_FENCED,
            ErrorCode.CATALOG_FENCED,
            ErrorCode.SHUTTING_DOWN);

    private static final Set<ErrorCode> SEEN = EnumSet.noneOf(ErrorCode.class);
    private static final String PERSISTED = "{\"durability\":\"persisted\"}";
    private static final String PERSISTED_OFFSETS = "{\"consumer_offset_durability\":\"persisted\"}";

    @TestConfiguration(proxyBeanMethods = false)
    static class Faults {
        @Bean
        @Primary
        FaultyFiles faultyFiles() {
            return new FaultyFiles(FileLayers.system());
        }
    }

    private final MockMvc mvc;
    private final Api root;
    private final Fixture fixture;
    private final FaultyFiles files;
    private final Path dataDir;

    @LocalServerPort
    int port;

    @Autowired
    FaultsOverHttpTest(MockMvc mvc, FileLayer files, KeptlogProperties properties) {
        this.mvc = mvc;
        this.root = Api.root(mvc);
        this.fixture = Fixture.of(mvc);
        this.files = (FaultyFiles) files;
        this.dataDir = properties.dataDir();
    }

    @AfterEach
    void heal() {
        files.heal();
    }

    private static Predicate<Path> logOf(String topic) {
        return path -> path.toString().contains(topic + "/") && path.toString().endsWith(".log");
    }

    private static Predicate<Path> below(String directory) {
        return path -> path.toString().contains("/" + directory + "/");
    }

    private Api.Reply send(String topic, String... payloads) {
        return root.post(topic + "/messages", Fixture.body(Fixture.partition(0), payloads));
    }

    private static JsonNode refused(Api.Reply reply, ErrorCode code, boolean retry) {
        reply.refused(ErrorStatus.of(code), code.id(), code.code());
        assertThat(reply.response().getHeader("Retry-After") != null)
                .as("Retry-After with " + code)
                .isEqualTo(retry);
        SEEN.add(code);
        return reply.json();
    }

    private void awaitStored(String topic) {
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(20))
                .until(() -> send(topic, "again").response().getStatus() == 201);
    }

    @Test
    @Order(1)
    void aClientThatStopsSendingIsToldAndLetGo() throws IOException {
        String topic = fixture.topic(1);
        for (String path : new String[] {"/streams", topic + "/messages"}) {
            try (Socket socket = new Socket("127.0.0.1", port)) {
                socket.setSoTimeout(20_000);
                String head = "POST " + path + " HTTP/1.1\r\nHost: x\r\n" + RawExchange.BASIC
                        + "\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"name\":";
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).as(path).startsWith("HTTP/1.1 408 ").contains("\"code\":\"request_timeout\"");
            }
        }
        SEEN.add(ErrorCode.REQUEST_TIMEOUT);
        assertThat(fixture.poll(topic, "kind=first").path("count").asInt(-1)).isZero();
    }

    @Test
    @Order(2)
    void aPayloadOf64MillionBytesIsTakenAndOneMoreIsNot() throws Exception {
        String topic = fixture.topic(1);
        byte[] body = new byte[Limits.PAYLOAD_MAX_BYTES + 1];
        refused(octets(topic, body), ErrorCode.TOO_BIG_MESSAGE_PAYLOAD, false);
        octets(topic, java.util.Arrays.copyOf(body, Limits.PAYLOAD_MAX_BYTES)).expect(201);
        JsonNode alone = fixture.poll(topic, "kind=first");
        assertThat(alone.path("count").asInt()).isEqualTo(1);
        assertThat(alone.at("/messages/0/header/payload_length").asInt()).isEqualTo(Limits.PAYLOAD_MAX_BYTES);
        root.delete(topic).expect(204);
    }

    private Api.Reply octets(String topic, byte[] body) throws Exception {
        return new Api.Reply(mvc.perform(MockMvcRequestBuilders.post(URI.create(topic + "/messages"))
                        .header("Authorization", root.authorization())
                        .header("Content-Type", "application/octet-stream")
                        .content(body))
                .andReturn()
                .getResponse());
    }

    @Test
    @Order(3)
    void aBatchOfMoreThanAMillionMessagesIsRefused() {
        String topic = fixture.topic(1);
        var body = new StringBuilder("{\"partitioning\":" + Fixture.partition(0) + ",\"messages\":[");
        body.append("{\"payload\":\"MQ==\"},".repeat(Limits.MESSAGES_PER_BATCH_MAX))
                .append("{\"payload\":\"MQ==\"}]}");
        refused(root.post(topic + "/messages", body.toString()), ErrorCode.TOO_MANY_MESSAGES, false);
        assertThat(fixture.poll(topic, "kind=first").path("count").asInt(-1)).isZero();
    }

    @Test
    @Order(4)
    void aSyncThatTakesTooLongIsAnUnknownOutcomeAndTheMessageMayBeStored() throws Exception {
        String topic = fixture.topic(1, PERSISTED);
        send(topic, "first").expect(201);
        FaultyFiles.Hold slow = files.hold(Call.SYNC, logOf(topic));
        try {
            JsonNode error = refused(send(topic, "slow"), ErrorCode.PRODUCE_TIMEOUT, false);
            assertThat(error.path("reason").asString()).contains("not known");
            refused(root.post(topic + "/partitions/0/flush", ""), ErrorCode.PRODUCE_TIMEOUT, false);
        } finally {
            slow.release();
        }
        awaitStored(topic);
        assertThat(Fixture.payloads(fixture.poll(topic, "kind=first"))).startsWith("first", "slow");
    }

    @Test
    @Order(5)
    void anOffsetThatIsNotSyncedInTimeIsAnUnknownOutcome() {
        String topic = fixture.topic(1, PERSISTED_OFFSETS);
        send(topic, "a", "b").expect(201);
        String offsets = topic + "/consumer-offsets";
        root.put(offsets, "{\"offset\":0}").expect(204);
        FaultyFiles.Hold slow = files.hold(Call.SYNC, below("offsets"));
        try {
            refused(root.put(offsets, "{\"offset\":1}"), ErrorCode.OFFSET_WRITE_TIMEOUT, false);
            refused(root.delete(offsets + "/1"), ErrorCode.OFFSET_WRITE_TIMEOUT, false);
        } finally {
            slow.release();
        }
        await().pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofSeconds(20))
                .until(() -> root.put(offsets, "{\"offset\":1}").response().getStatus() == 204);
    }

    @Test
    @Order(6)
    void anAppendThatFindsNoPreparedSpaceIsNotAcceptedAndMayBeTriedAgain() {
        String topic = fixture.topic(1);
        send(topic, "first").expect(201);
        FaultyFiles.Hold slow = files.hold(Call.ALLOCATE, path -> true);
        try {
            Api.Reply reply = send(topic, "x".repeat(200_000));
            for (int i = 0; i < 40 && reply.response().getStatus() == 201; i++) {
                reply = send(topic, "x".repeat(200_000));
            }
            refused(reply, ErrorCode.TRANSIENT_NOT_ACCEPTED, true);
        } finally {
            slow.release();
        }
        awaitStored(topic);
    }

    @Test
    @Order(7)
    void aPartitionThatIsStillBeingMadeIsWaitedForAndThenSaysSo() throws Exception {
        String stream = "/streams/" + fixture.stream().path("id");
        String topic = stream + "/topics/0";
        FaultyFiles.Hold slow = files.hold(Call.RENAME, path -> path.toString().contains(topic + "/"));
        CompletableFuture<Api.Reply> making;
        try {
            making = CompletableFuture.supplyAsync(
                    () -> root.post(stream + "/topics", Fixture.topicJson("slow", 1, "{}")));
            slow.awaitArrival();
            refused(root.get(topic + "/messages"), ErrorCode.PARTITION_READ_TIMEOUT, true);
            refused(send(topic, "early"), ErrorCode.TRANSIENT_NOT_ACCEPTED, true);
            refused(root.put(topic + "/consumer-offsets", "{\"offset\":0}"), ErrorCode.TRANSIENT_NOT_ACCEPTED, true);
            refused(root.delete(topic + "/partitions/0?segments_count=1"), ErrorCode.TRANSIENT_NOT_ACCEPTED, true);
        } finally {
            slow.release();
        }
        making.get().expect(200);
        send(topic, "now").expect(201);
        assertThat(Fixture.payloads(fixture.poll(topic, "kind=first"))).containsExactly("now");
    }

    @Test
    @Order(8)
    void aFullDiskRefusesWritesGoesOnReadingAndRecoversByItself() {
        String topic = fixture.topic(1);
        send(topic, "before").expect(201);
        full(topic);
        refused(send(topic, "during"), ErrorCode.NO_SPACE, true);
        full(topic);
        refused(
                root.post(topic + "/messages?ack=none", Fixture.body(Fixture.partition(0), "x")),
                ErrorCode.NO_SPACE,
                true);
        assertThat(Fixture.payloads(fixture.poll(topic, "kind=first"))).containsExactly("before");
        awaitStored(topic);
        assertThat(Fixture.payloads(fixture.poll(topic, "kind=first"))).startsWith("before", "again");
    }

    /** The next write finds the disk full; taking it back works. */
    private void full(String topic) {
        files.fail(Call.WRITE, logOf(topic), 1, () -> new NoSpaceException("ENOSPC"));
    }

    @Test
    @Order(9)
    void damageIsAnErrorThatNamesTheOffsetsAndNeverAnEmptyReply() throws IOException {
        String topic = fixture.topic(1);
        send(topic, "good").expect(201);
        send(topic, "this one is damaged").expect(201);
        Path log = dataDir.resolve(topic.substring(1)).resolve("partitions/0/00000000000000000000.log");
        byte[] bytes = Files.readAllBytes(log);
        int at = indexOf(bytes, "this one is damaged".getBytes(StandardCharsets.US_ASCII));
        bytes[at + 3] ^= 1;
        Files.write(log, bytes, StandardOpenOption.WRITE);
        JsonNode error = refused(root.get(topic + "/messages?value=1"), ErrorCode.PARTITION_DAMAGED, false);
        assertThat(error.path("reason").asString()).contains("1");
    }

    private static int indexOf(byte[] bytes, byte[] wanted) {
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            if (java.util.Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new AssertionError("not in the file");
    }

    @Test
    @Order(10)
    void aFailedSyncFencesItsPartitionForWritingAndTurnsHealthDown() {
        String topic = "";
        Api.Reply reply;
        do {
            // Who comes first meets the failure: this write, or a background sync before it.
            topic = fixture.topic(1, PERSISTED);
            send(topic, "kept").expect(201);
            files.fail(Call.SYNC, logOf(topic), 1, () -> new IOException("EIO"));
            reply = send(topic, "lost?");
        } while (reply.response().getStatus() == 503);
        JsonNode error = refused(reply, ErrorCode.SYNC_FAILED, false);
        assertThat(error.path("reason").asString()).contains("may be");
        for (String query : new String[] {"", "?ack=none"}) {
            refused(
                    root.post(topic + "/messages" + query, Fixture.body(Fixture.partition(0), "x")),
                    ErrorCode.PARTITION_FENCED,
                    false);
        }
        assertThat(Fixture.payloads(fixture.poll(topic, "kind=first"))).startsWith("kept");
        assertThat(root.get("/actuator/health")
                        .expect(503)
                        .json()
                        .path("status")
                        .asString())
                .isEqualTo("DOWN");
        root.get("/actuator/health/liveness").expect(200);
        root.get("/actuator/health/readiness").expect(200);
    }

    @Test
    @Order(11)
    void aFailedSyncOfTheOffsetsFencesOffsetWritesOnly() {
        String topic = fixture.topic(1, PERSISTED_OFFSETS);
        send(topic, "a").expect(201);
        files.fail(Call.SYNC, below("offsets"), 1, () -> new IOException("EIO"));
        String offsets = topic + "/consumer-offsets";
        refused(root.put(offsets, "{\"offset\":0}"), ErrorCode.SYNC_FAILED, false);
        refused(root.put(offsets, "{\"offset\":0}"), ErrorCode.OFFSETS_FENCED, false);
        send(topic, "b").expect(201);
        assertThat(fixture.poll(topic, "kind=first&auto_commit=true")
                        .path("count")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    @Order(12)
    void aFailedSyncOfTheCatalogStopsControlPlaneChangesOnly() {
        String topic = fixture.topic(1);
        files.failFrom(Call.SYNC, below("catalog"), 1, () -> new IOException("EIO"));
        refused(root.post("/streams", "{\"name\":\"unknown\"}"), ErrorCode.SYNC_FAILED, false);
        files.heal();
        for (Api.Reply reply : new Api.Reply[] {
            root.post("/streams", "{\"name\":\"refused\"}"),
            root.delete(topic),
            root.post("/users", "{\"username\":\"refused\",\"password\":\"a word\"}"),
            root.post("/personal-access-tokens", "{\"name\":\"refused\",\"expiry\":0}"),
            root.post(topic + "/partitions", "{\"partitions_count\":1}")
        }) {
            refused(reply, ErrorCode.CATALOG_FENCED, false);
        }
        send(topic, "still").expect(201);
        assertThat(Fixture.payloads(fixture.poll(topic, "kind=first"))).containsExactly("still");
        root.get("/streams").expect(200);
    }

    @Test
    @Order(13)
    void whoComesDuringTheStopIsToldSo(@Autowired SmartLifecycle storeLifecycle) {
        String topic = root.get("/streams")
                .json()
                .valueStream()
                .map(s -> "/streams/" + s.path("id") + "/topics/0")
                .filter(t -> root.get(t + "/messages").response().getStatus() == 200)
                .reduce((a, b) -> b)
                .orElseThrow();
        storeLifecycle.stop();
        refused(send(topic, "late"), ErrorCode.SHUTTING_DOWN, true);
    }

    @Test
    @Order(99)
    void everyErrorOfTheListWasCaused() {
        assertThat(SEEN).isEqualTo(CAUSED);
    }
}
