// SPDX-License-Identifier: Apache-2.0
package io.keptlog.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.keptlog.system.harness.Client;
import io.keptlog.system.harness.RawReader;
import io.keptlog.system.harness.RawSocket;
import io.keptlog.system.harness.Reply;
import io.keptlog.system.harness.ServerProcess;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Requests that are broken, endless, enormous or slow: a clear error in the one form, nothing of the batch stored, others unharmed. */
class BadInputIT {
    private static final String PARTITION_0 = "\"partitioning\":{\"kind\":\"partition_id\",\"value\":\"AAAAAA==\"}";
    private static final String GOOD = "{\"payload\":\"aGVsbG8=\"}";
    private static int topics;

    @TempDir
    static Path directory;

    private static ServerProcess server;
    private static Client client;
    private String topic = "";

    @BeforeAll
    static void start() {
        server = ServerProcess.start(directory.resolve("data"), "-Xmx192m");
        client = server.client();
        client.createStream("bad");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void newTopic() {
        String name = "t" + topics++;
        client.createTopic("bad", name, 1, Client.policies("replicated"));
        topic = Client.topic("bad", name);
    }

    @AfterEach
    void theServerStillServes() {
        assertThat(client.get("/actuator/health").status()).isEqualTo(200);
        client.produce(topic, 0, List.of("still works")).expect(201);
    }

    @Test
    void aBodyThatEndsEarlyStoresNothing() {
        byte[] body = batch(GOOD, GOOD, GOOD).getBytes(StandardCharsets.UTF_8);
        for (int sent : new int[] {0, 1, body.length / 2, body.length - 1}) {
            try (RawSocket socket = new RawSocket(server.port())) {
                socket.send(RawSocket.postHead(messages(), "Content-Length: " + body.length))
                        .send(java.util.Arrays.copyOf(body, sent))
                        .endOutput();
                RawSocket.Answer answer = socket.read();
                assertThat(answer.status()).as("after " + sent + " bytes").isIn(-1, 400);
                if (answer.status() == 400) {
                    requireErrorForm(answer.json());
                }
            }
        }
        nothingIsStored();
    }

    @Test
    void slowClientsHoldNobodyUpAndAreAnsweredWhenTheyAreDone() {
        byte[] body = batch(GOOD).getBytes(StandardCharsets.UTF_8);
        List<RawSocket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                slow.add(new RawSocket(server.port())
                        .send(RawSocket.postHead(messages(), "Content-Length: " + body.length))
                        .send(java.util.Arrays.copyOf(body, 10)));
            }
            for (int i = 0; i < 20; i++) {
                long began = System.nanoTime();
                client.produce(topic, 0, List.of("quick")).expect(201);
                assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(2));
            }
            for (RawSocket socket : slow) {
                for (int at = 10; at < body.length; at += 40) {
                    socket.send(java.util.Arrays.copyOfRange(body, at, Math.min(body.length, at + 40)));
                }
                assertThat(socket.read().status()).isEqualTo(201);
            }
        } finally {
            slow.forEach(RawSocket::close);
        }
        assertThat(RawReader.lines(client, topic, 0, 0)).hasSize(120);
    }

    @Test
    void jsonThatIsNestedAHundredThousandDeepIsRefusedOnEveryPath() {
        String deep = "[".repeat(100_000) + "]".repeat(100_000);
        String objects = "{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000);
        refused(send("{" + PARTITION_0 + ",\"messages\":" + deep + "}"), 400);
        refused(send(batch("{\"payload\":\"aGVsbG8=\",\"extra\":" + objects + "}")), 400);
        refused(send(deep), 400);
        refused(json("POST", "/streams", "{\"name\":\"deep\",\"options\":" + objects + "}"), 400);
        refused(json("POST", "/streams", deep), 400);
        nothingIsStored();
    }

    @Test
    void aNumberOfTenThousandDigitsIsRefused() {
        String number = "9".repeat(10_000);
        refused(send(batch("{\"id\":" + number + ",\"payload\":\"aGVsbG8=\"}")), 400);
        refused(send(batch("{\"id\":\"" + number + "\",\"payload\":\"aGVsbG8=\"}")), 400);
        refused(json("PUT", topic + "/consumer-offsets", "{\"consumer_id\":1,\"offset\":" + number + "}"), 400);
        refused(client.get(topic + "/messages?partition_id=0&kind=offset&value=" + "9".repeat(1_000)), 400);
        nothingIsStored();
    }

    @Test
    void aBodyOfAHundredMegabytesIsRefusedWithoutBeingHeld() {
        long length = 100_000_000;
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send(RawSocket.postHead(messages(), "Content-Length: " + length));
            socket.send(batch(GOOD).getBytes(StandardCharsets.UTF_8));
            RawSocket.Answer answer = socket.read();
            assertThat(answer.status()).isEqualTo(413);
            requireErrorForm(answer.json());
        }
        // Without a length the server finds out on the way.
        try (RawSocket socket = new RawSocket(server.port())) {
            socket.send(RawSocket.postHead(messages(), "Transfer-Encoding: chunked"));
            byte[] chunk = ("10000\r\n" + " ".repeat(0x10000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            try {
                for (long sent = 0; sent < length; sent += 0x10000) {
                    socket.send(chunk);
                }
                socket.send("0\r\n\r\n");
            } catch (UncheckedIOException e) {
                // The server does not take it all: it has answered and closed.
            }
            try {
                assertThat(socket.read().status()).isEqualTo(413);
            } catch (UncheckedIOException e) {
                // A reset may overtake the answer when the server closes while we send.
            }
        }
        nothingIsStored();
    }

    @Test
    void aBadMessageAmongAThousandIsNamedAndNothingOfTheBatchIsStored() {
        String[] messages = new String[1000];
        java.util.Arrays.fill(messages, GOOD);
        messages[998] = "{\"payload\":\"not base64!\"}";
        Reply reply = send(batch(messages));
        refused(reply, 400);
        assertThat(reply.text()).as("the message is named").contains("998");

        messages[998] = "{\"payload\":\"\"}";
        Reply empty = send(batch(messages));
        refused(empty, 400);
        assertThat(empty.code()).isEqualTo("empty_message_payload");
        assertThat(empty.text()).contains("998");
        nothingIsStored();
    }

    @Test
    void aLineThatIsTooLongSaysHowManyLinesWereStored() {
        Reply reply =
                client.ndjson(topic, 0, BodyPublishers.ofString("one\n\ntwo\n" + "x".repeat(3_000_000) + "\nthree\n"));
        refused(reply, 413);
        long stored = reply.json().path("stored_lines").asLong(-1);
        assertThat(stored).isBetween(0L, 3L);
        assertThat(RawReader.lines(client, topic, 0, 0))
                .isEqualTo(List.of("one", "", "two").subList(0, (int) stored));
    }

    @Test
    void everyRefusalHasTheOneFormWhoeverRefuses() {
        refused(client.get("/no/such/path"), 404);
        refused(client.get("/streams/absent"), 404);
        refused(client.send("PATCH", "/streams", BodyPublishers.noBody()), 405);
        assertThat(client.send("PATCH", "/streams", BodyPublishers.noBody()).header("Allow"))
                .contains("GET")
                .contains("POST");
        refused(client.get("/streams", "Accept", "image/png"), 406);
        refused(client.send("POST", messages(), BodyPublishers.ofString("x"), "Content-Type", "text/plain"), 415);
        refused(client.send("POST", "/streams", BodyPublishers.ofString("x"), "Content-Type", "text/plain"), 415);
        refused(json("POST", "/streams", "{\"name\":"), 400);
        refused(json("POST", "/streams", "{}"), 400);
        refused(send("{\"messages\":"), 400);
        refused(client.get("/streams", "Authorization", "Bearer nonsense"), 401);
        refused(client.get("/streams", "Authorization", "Basic bm9ib2R5OndyaXRlcw=="), 401);
        refused(client.get("/streams/%00"), 400);
        refused(client.get("/streams//topics"), 400, 404);
        for (String request : List.of(
                "GET /streams/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /ping HTTP/1.1\r\n\r\n",
                "GET /ping HTTP/1.1\r\nHost: x\r\nBroken header\r\n\r\n",
                "NONSENSE\r\n\r\n",
                "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /streams/a<b HTTP/1.1\r\nHost: x\r\n\r\n")) {
            try (RawSocket socket = new RawSocket(server.port())) {
                RawSocket.Answer answer = socket.send(request).read();
                assertThat(answer.status()).as(request).isBetween(400, 499);
                requireErrorForm(answer.json());
            }
        }
    }

    private String messages() {
        return topic + "/messages";
    }

    private Reply send(String body) {
        return json("POST", messages(), body);
    }

    private static Reply json(String method, String path, String body) {
        return client.send(method, path, BodyPublishers.ofString(body), "Content-Type", "application/json");
    }

    private static String batch(String... messages) {
        return "{" + PARTITION_0 + ",\"messages\":[" + String.join(",", messages) + "]}";
    }

    private static void refused(Reply reply, int... statuses) {
        reply.expect(statuses);
        requireErrorForm(reply.json());
    }

    private static void requireErrorForm(JsonNode error) {
        assertThat(error.path("id").isIntegralNumber()).as(error.toString()).isTrue();
        assertThat(error.path("code").asString("")).as(error.toString()).matches("[a-z0-9_]+");
        assertThat(error.path("reason").asString("")).as(error.toString()).isNotEmpty();
        assertThat(error.has("field")).as(error.toString()).isTrue();
    }

    private void nothingIsStored() {
        assertThat(client.poll(topic, 0, 0, 10).expect(200).json().path("count").asInt())
                .isZero();
    }
}
